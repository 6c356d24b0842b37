using System.Runtime.CompilerServices;
using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Storage.Sharding;

/// <summary>Who watches keys of a shard, and who waits for some: while nobody does, each change costs one look at a
/// count. Part of the shard: used under its lease.</summary>
public sealed unsafe class ShardInterests
{
    /// <summary>Keys whose changes are of interest (WATCH).</summary>
    public KeyInterests Watches { get; } = new();

    /// <summary>Keys that are waited for (BLPOP and its like).</summary>
    public KeyInterests Waits { get; } = new();

    /// <summary>A key was changed.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnChange(in Key key)
    {
        if (Watches.Count > 0)
        {
            WatchedKey.Tell(Watches, key);
        }
    }

    /// <summary>All keys of a database, by its physical number, are about to go.</summary>
    /// <param name="shard">The shard.</param>
    /// <param name="database">The database, or -1 for all.</param>
    /// <param name="nowMs">The time, milliseconds since 1970.</param>
    public void OnClear(Shard shard, int database, long nowMs)
    {
        if (Watches.Count == 0)
        {
            return;
        }

        foreach (var watch in Watches.Copy())
        {
            if ((database < 0 || watch.Key.Database == database) && MayBeThere(shard, watch.Key, nowMs))
            {
                ((WatchedKey)watch).Tell();
            }
        }
    }

    /// <summary>Whether a key is there, its time come or not. Nothing is read from the device to find out: where a
    /// shard has data there, one key in some thousands that are not there seems to be.</summary>
    internal static bool MayBeThere(Shard shard, in Key key, long nowMs)
        => shard.HasCold ? shard.Index.MayContain(key.Hash) : shard.Find(key, nowMs, out _) != FindResult.Missing;

    /// <summary>A key gets a value of a type.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void OnPut(in Key key, in Record existing, RecordType type)
    {
        if (Waits.Count > 0 && (existing.IsNull || existing.Type != type))
        {
            AwaitedKey.WakeFirst(Waits, key, type);
        }
    }

    /// <summary>A record is deleted, for whatever reason.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void OnDrop(ulong hash, in Record record)
    {
        if (Watches.Count > 0)
        {
            WatchedKey.Tell(Watches, new Key(record.KeyPointer, record.KeyLength, record.Database, hash));
        }
    }
}
