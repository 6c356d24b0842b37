using Strata.Storage.Census;

namespace Strata.Server.Diagnostics.Keyspace;

/// <summary>The largest keys: those that shards know as such, and, where these are few, others that were drawn by
/// chance. Made where somebody asks, on any thread.</summary>
internal sealed class LargeKeyList
{
    private readonly List<LargeKey> _keys = [];

    /// <summary>All keys that take more bytes are among them.</summary>
    public long CompleteAbove { get; private set; }

    /// <summary>The keys, the largest first.</summary>
    /// <param name="shards">What shards know.</param>
    /// <param name="database">The one database that is asked for, by its physical number; -1 for all.</param>
    public LargeKeyList(IEnumerable<KeyCensus> shards, int database = -1)
    {
        var copy = new CensusCopy();
        var known = new HashSet<ulong>();
        foreach (var shard in shards)
        {
            if (shard.TryCopy(copy))
            {
                CompleteAbove = Math.Max(CompleteAbove, copy.Rate < 1 || copy.UnreadKeys > 0 ? copy.CompleteAbove : 0);
                Add(copy.Largest, database, known);
                Add(copy.Sample, database, known);
            }
        }

        _keys.Sort(static (a, b) => b.Size.CompareTo(a.Size));
    }

    /// <summary>The keys, the largest first.</summary>
    public IReadOnlyList<LargeKey> Keys => _keys;

    private void Add(CensusKeys keys, int database, HashSet<ulong> known)
    {
        for (var i = 0; i < keys.Count; i++)
        {
            ref readonly var key = ref keys[i];
            if ((database < 0 || key.Database == database) && known.Add(key.Hash))
            {
                _keys.Add(new LargeKey(
                    keys.NameOf(i).ToArray(), key.KeyLength, key.Database, key.Bytes, key.IsCold));
            }
        }
    }
}
