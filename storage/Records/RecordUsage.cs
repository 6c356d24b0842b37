using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Storage.Records;

/// <summary>How a key was used, as Redis tells of it and keeps it in files and payloads: for how long it was not, or,
/// where frequencies are kept, how often.</summary>
public static unsafe class RecordUsage
{
    // From which counts of Redis's on the index counts one more; a new key has 5.
    private static readonly byte[] s_frequencies = [0, 5, 20, byte.MaxValue];

    /// <summary>Seconds since a key was used.</summary>
    /// <param name="record">Its record, where frequencies are not kept.</param>
    /// <param name="nowMs">Milliseconds since 1970.</param>
    public static int IdleSeconds(in Record record, long nowMs)
        => AccessClock.IdleSeconds(record.Accessed, AccessClock.At(nowMs));

    /// <summary>How often a key was used lately, 0 to 255.</summary>
    /// <param name="settings">How that is counted.</param>
    /// <param name="record">Its record, where frequencies are kept.</param>
    /// <param name="nowMs">Milliseconds since 1970.</param>
    public static int Frequency(FrequencySettings settings, in Record record, long nowMs)
        => AccessFrequency.CountOf(settings, record.Accessed, AccessFrequency.MinuteAt(nowMs));

    /// <summary>How often a key was read lately, as its index entry counts for eviction: 0 to <see
    /// cref="IndexEntry.MaxFrequency"/>.</summary>
    public static int ReadsInIndex(RecordStore store, in Key key, in Record record)
    {
        var slot = store.FindSlot(key.Hash, record.Address);
        return slot == null ? 0 : IndexEntry.Frequency(*slot);
    }

    /// <summary>Has a key be used as it was elsewhere. What is not kept here is passed over.</summary>
    /// <param name="store">Its shard.</param>
    /// <param name="key">The key.</param>
    /// <param name="record">Its record.</param>
    /// <param name="idleSeconds">For how long it was not used; -1 if that is not known.</param>
    /// <param name="frequency">How often it was used, 0 to 255; -1 if that is not known.</param>
    /// <param name="nowMs">Milliseconds since 1970.</param>
    public static void Set(
        RecordStore store, in Key key, in Record record, long idleSeconds, int frequency, long nowMs)
    {
        var keepsFrequencies = store.Frequencies != null;
        if (keepsFrequencies && frequency >= 0)
        {
            record.SetAccessed(AccessFrequency.With(frequency, AccessFrequency.MinuteAt(nowMs)));
            var slot = store.FindSlot(key.Hash, record.Address);
            if (slot != null)
            {
                Volatile.Write(ref *slot, IndexEntry.WithFrequency(*slot, InIndex(frequency)));
            }
        }
        else if (!keepsFrequencies && idleSeconds >= 0)
        {
            var idleMs = Math.Min(idleSeconds, int.MaxValue) * 1000;
            record.SetAccessed(AccessClock.At(Math.Max(0, nowMs - idleMs)));
        }
    }

    private static int InIndex(int frequency)
    {
        var own = 0;
        while (own < IndexEntry.MaxFrequency && frequency >= s_frequencies[own + 1])
        {
            own++;
        }

        return own;
    }
}
