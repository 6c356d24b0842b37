using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Storage.Records;

/// <summary>How a key was used, where that comes from somewhere else, or goes there: what Redis counts is put in the
/// place of what is counted here, and the other way round.</summary>
public static unsafe class RecordUsage
{
    // Redis's counter goes up to 255, by steps that become rarer; a new key has 5.
    private static readonly byte[] s_frequencies = [0, 5, 20, 255];

    /// <summary>Has a key be last used some time ago.</summary>
    public static void SetIdle(in Record record, long seconds, long nowMs)
        => record.SetAccessed(AccessClock.At(Math.Max(0, nowMs - (Math.Min(seconds, int.MaxValue) * 1000))));

    /// <summary>Has a key be used as often as Redis's counter says.</summary>
    public static void SetFrequency(RecordStore store, in Key key, in Record record, int frequency)
    {
        var slot = store.FindSlot(key.Hash, record.Address);
        if (slot != null)
        {
            Volatile.Write(ref *slot, IndexEntry.WithFrequency(*slot, FromRedis(frequency)));
        }
    }

    /// <summary>What is counted here, for Redis.</summary>
    public static int ToRedis(int frequency) => s_frequencies[frequency];

    private static int FromRedis(int frequency)
    {
        var own = 0;
        while (own < IndexEntry.MaxFrequency && frequency >= s_frequencies[own + 1])
        {
            own++;
        }

        return own;
    }
}
