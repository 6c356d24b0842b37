using Strata.Storage;

namespace Strata.Server;

/// <summary>Every fixed bound on what the server notes of the keys that its clients use. The memory is taken at the
/// start and counts in maxmemory.</summary>
public static class TrafficLimits
{
    /// <summary>Accesses to keys, on the average, of which one is noted; it counts for all of them.</summary>
    public const int AccessesPerSample = 64;

    /// <summary>Bytes that commands with keys and their replies have, on the average, for each time that a key is noted
    /// by bytes.</summary>
    public const int BytesPerSample = 64 << 10;

    /// <summary>Bytes of one command and its reply that are noted as they are, and not by chance.</summary>
    public const int BytesNotedWhole = 16 * BytesPerSample;

    /// <summary>Times that keys of one command are noted at most, about; then each counts for more.</summary>
    public const int SamplesPerCommand = 64;

    /// <summary>How long it takes until what was noted counts half.</summary>
    public static readonly TimeSpan HotKeyHalfLife = TimeSpan.FromSeconds(60);

    /// <summary>Keys that all workers together watch for their reads; likewise for their writes, and their bytes.
    /// </summary>
    public const int HotKeys = 1024;

    /// <summary>The most and the fewest that one worker watches of each.</summary>
    public const int MostHotKeysPerWorker = 256;

    /// <inheritdoc cref="MostHotKeysPerWorker"/>
    public const int LeastHotKeysPerWorker = 32;

    /// <summary>Bytes of such a key that are kept; of a longer one its length is known, and its hash.</summary>
    public const int HotKeyBytes = 96;

    /// <summary>Hot keys that are told of where nothing else is said.</summary>
    public const int HotKeysTold = 10;

    /// <summary>Those that a live page shows of each kind.</summary>
    public const int HotKeysShown = 10;

    /// <summary>Keys that a worker watches of each kind.</summary>
    /// <param name="workers">How many workers there are.</param>
    public static int HotKeysPerWorker(int workers)
        => Math.Clamp(HotKeys / workers, LeastHotKeysPerWorker, MostHotKeysPerWorker);

    /// <summary>Proves the relations the code relies on.</summary>
    /// <exception cref="InvalidOperationException">A relation does not hold.</exception>
    public static void Check()
    {
        Invariant.Check(MostHotKeysPerWorker < short.MaxValue, "places of watched keys are 16 bits");
        Invariant.Check(BytesNotedWhole <= int.MaxValue / 2, "bytes until the next sample are an int");
    }
}
