using System.Text;
using Strata.Storage;
using Strata.Storage.Census;
using Strata.Storage.Index;

namespace Strata.Server.Diagnostics.Keyspace;

/// <summary>
/// What memory goes by prefixes of keys: added up, shard by shard, from what each knows of its keys by name
/// (<see cref="KeyCensus"/>). The largest keys of a shard count as they are, the others for as many as the chance says
/// with which they were drawn. Made where somebody asks, on any thread.
/// </summary>
internal sealed class PrefixList
{
    private readonly PrefixRule _rule;
    private readonly int _database;
    private readonly char[] _name = new char[1 + CensusLimits.KeyBytes];
    private readonly Dictionary<string, PrefixSum> _sums = [];
    private readonly Dictionary<string, PrefixSum>.AlternateLookup<ReadOnlySpan<char>> _byName;
    private readonly PrefixSum?[] _drawn = new PrefixSum?[Limits.MaxDatabases];
    private readonly long[] _others = new long[Limits.MaxDatabases];
    private readonly HashSet<ulong> _largest = [];
    private CensusCopy? _copy;
    private CensusCopy _shard = new();

    /// <summary>Nothing was added yet.</summary>
    /// <param name="rule">What the prefix of a key is.</param>
    /// <param name="database">The one database that is asked for, by its physical number; -1 for all.</param>
    public PrefixList(PrefixRule rule, int database = -1)
    {
        _rule = rule;
        _database = database;
        _byName = _sums.GetAlternateLookup<ReadOnlySpan<char>>();
    }

    /// <summary>Whether somebody may be told of a key.</summary>
    /// <param name="name">The key, or what it begins with.</param>
    /// <param name="isWhole">Whether it is the key.</param>
    public delegate bool Filter(ReadOnlySpan<byte> name, bool isWhole);

    /// <summary>Keys there are.</summary>
    public long Keys { get; private set; }

    /// <summary>Keys of which it was added up.</summary>
    public int Seen { get; private set; }

    /// <summary>Keys that are on the device since before the start, of which nothing is known yet; about.</summary>
    public double Unread { get; private set; }

    /// <summary>Nothing was added yet. What it holds memory for it keeps, but names that nobody has used since the last
    /// time.</summary>
    public void Clear()
    {
        (Keys, Seen, Unread) = (0, 0, 0);
        Array.Clear(_others);
        foreach (var drawn in _drawn)
        {
            drawn?.Clear();
        }

        foreach (var (name, sum) in _sums)
        {
            if (sum.Seen == 0)
            {
                _sums.Remove(name);
            }

            sum.Clear();
        }
    }

    /// <summary>Begins with what a shard knows. Each shard once.</summary>
    public void Begin(CensusCopy shard)
    {
        _shard = shard;
        Unread += shard.UnreadKeys;
        _largest.Clear();
        for (var database = 0; database < Limits.MaxDatabases; database++)
        {
            if (_database < 0 || database == _database)
            {
                Keys += shard.KeysOf((byte)database);
                _others[database] += shard.KeysOf((byte)database);
            }
        }
    }

    /// <summary>Adds one of the shard's largest keys; all of them before those that were drawn.</summary>
    /// <param name="index">Which one.</param>
    /// <param name="isTold">Whether who asks may know of it.</param>
    public void AddLargest(int index, bool isTold)
    {
        ref readonly var key = ref _shard.Largest[index];
        if (_largest.Add(key.Hash) && IsAsked(key))
        {
            _others[key.Database]--;
            Seen++;
            if (isTold)
            {
                var (memory, disk) = BytesOf(key);
                SumOf(key, _shard.Largest.NameOf(index).Span).AddKnown(memory, disk);
            }
        }
    }

    /// <summary>Adds a key that was drawn.</summary>
    /// <inheritdoc cref="AddLargest"/>
    public void AddDrawn(int index, bool isTold)
    {
        ref readonly var key = ref _shard.Sample[index];
        if (_largest.Contains(key.Hash) || !IsAsked(key))
        {
            return;
        }

        Seen++;
        var (memory, disk) = BytesOf(key);
        (_drawn[key.Database] ??= new PrefixSum()).AddDrawn(memory, disk, _shard.Rate);
        if (isTold)
        {
            SumOf(key, _shard.Sample.NameOf(index).Span).AddDrawn(memory, disk, _shard.Rate);
        }
    }

    /// <summary>Adds all that shards know.</summary>
    /// <param name="shards">The shards'.</param>
    /// <param name="mayTell">Whether who asks may know of a key.</param>
    public void Add(IEnumerable<KeyCensus> shards, Filter mayTell)
    {
        foreach (var shard in shards)
        {
            Add(shard, mayTell);
        }
    }

    /// <summary>Adds all that a shard knows. Each shard once.</summary>
    /// <param name="shard">The shard's.</param>
    /// <param name="mayTell">Whether who asks may know of a key.</param>
    public void Add(KeyCensus shard, Filter mayTell)
    {
        var copy = _copy ??= new CensusCopy();
        if (!shard.TryCopy(copy))
        {
            return;
        }

        Begin(copy);
        for (var i = 0; i < copy.Largest.Count; i++)
        {
            AddLargest(i, IsTold(copy.Largest, i));
        }

        for (var i = 0; i < copy.Sample.Count; i++)
        {
            AddDrawn(i, IsTold(copy.Sample, i));
        }

        bool IsTold(CensusKeys keys, int index)
            => mayTell(keys.NameOf(index).Span, keys[index].KeyLength <= CensusLimits.KeyBytes);
    }

    /// <summary>The prefixes, those that take most first.</summary>
    public List<PrefixShare> Shares()
    {
        var shares = new List<PrefixShare>(_sums.Count);
        foreach (var (name, sum) in _sums)
        {
            var database = (byte)name[0];
            shares.Add(sum.Share(Encoding.Latin1.GetBytes(name[1..]), database, DrawnOf(database), OthersOf(database)));
        }

        shares.Sort(static (a, b) => b.Bytes.CompareTo(a.Bytes));
        return shares;
    }

    /// <summary>The part of all that the prefix has which takes most; 0 where there are no keys.</summary>
    public double LargestShare()
    {
        var (largest, all) = (0.0, 0.0);
        foreach (var (name, sum) in _sums)
        {
            var database = (byte)name[0];
            var bytes = sum.Bytes(DrawnOf(database), OthersOf(database));
            largest = Math.Max(largest, bytes);
            all += bytes;
        }

        return largest / Math.Max(1, all);
    }

    private PrefixSum DrawnOf(byte database) => _drawn[database] ??= new PrefixSum();

    /// <summary>How many keys could be drawn, where all of these can be known.</summary>
    private long OthersOf(byte database) => Unread > 0 ? 0 : _others[database];

    private static (long Memory, long Disk) BytesOf(in CensusEntry key)
        => key.IsCold ? (HashIndex.BytesPerKey, key.Bytes - HashIndex.BytesPerKey) : (key.Bytes, 0);

    private bool IsAsked(in CensusEntry key) => _database < 0 || key.Database == _database;

    private PrefixSum SumOf(in CensusEntry key, ReadOnlySpan<byte> keyName)
    {
        var prefix = _rule.PrefixOf(keyName);
        _name[0] = (char)key.Database;
        var length = 1 + Encoding.Latin1.GetChars(prefix, _name.AsSpan(1));
        var name = _name.AsSpan(0, length);
        if (!_byName.TryGetValue(name, out var sum))
        {
            sum = new PrefixSum();
            _sums.Add(name.ToString(), sum);
        }

        return sum;
    }
}
