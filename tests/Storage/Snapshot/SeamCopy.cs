using System.Text;
using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Sharding;
using Strata.Tests.Server.Changes;

namespace Strata.Tests.Storage.Snapshot;

/// <summary>What shards hold, made of nothing but what the seam of change tells: what a snapshot must hold at its
/// moment.</summary>
internal sealed class SeamCopy : IChangeListener
{
    private readonly Dictionary<string, Entry> _entries = [];

    /// <summary>A copy of shards that are empty.</summary>
    public SeamCopy(ReadOnlySpan<Shard> shards)
    {
        foreach (var shard in shards)
        {
            shard.Changes.Add(this);
        }
    }

    /// <summary>A key's name among all databases'.</summary>
    public static string NameOf(byte database, ReadOnlySpan<byte> key)
        => $"{database}/{Encoding.Latin1.GetString(key)}";

    /// <summary>What is there, and whose time has not come.</summary>
    public Dictionary<string, string> At(long nowMs)
        => _entries.Where(pair => pair.Value.ExpiryMs < 0 || pair.Value.ExpiryMs >= nowMs)
            .ToDictionary(pair => pair.Key, pair => pair.Value.Text);

    public void BeforeChange(in Key key, in Record record)
    {
    }

    public void Changed(in Key key, in Record record, in Change change)
    {
        var name = NameOf(key.Database, key.Span);
        if (record.IsNull)
        {
            _entries.Remove(name);
        }
        else
        {
            _entries[name] = new Entry(RecordText.Of(record), record.ExpiryMs);
        }
    }

    public void BeforeClear(int database)
    {
    }

    public void Cleared(int database, IChangeAuthor? author)
    {
        foreach (var name in _entries.Keys.Where(name => database < 0 || name.StartsWith($"{database}/")).ToArray())
        {
            _entries.Remove(name);
        }
    }

    public void BeforeExchange(byte first, byte second)
    {
    }

    public void Exchanged(byte first, byte second, IChangeAuthor? author)
    {
    }

    private readonly record struct Entry(string Text, long ExpiryMs);
}
