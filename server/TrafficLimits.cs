using System.Numerics;
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

    /// <summary>Owners of clients, by name, library, address and user, whose costs all workers together keep apart.
    /// </summary>
    public const int Owners = 1024;

    /// <summary>The most and the fewest of one worker.</summary>
    public const int MostOwnersPerWorker = 256;

    /// <inheritdoc cref="MostOwnersPerWorker"/>
    public const int LeastOwnersPerWorker = 32;

    /// <summary>Owners that give way to others in a second, on one worker.</summary>
    public const int OwnersShedAtOnce = 16;

    /// <summary>Characters of each of an owner's names that are kept.</summary>
    public const int OwnerChars = 64;

    /// <summary>Clients that are charged with what they have cost before others have their turn.</summary>
    public const int ClientsChargedAtOnce = 1024;

    /// <summary>Owners of clients that are told of where nothing else is said.</summary>
    public const int OwnersTold = 10;

    /// <summary>Prefixes, or big keys, that are told of where nothing else is said.</summary>
    public const int PrefixesTold = 20;

    /// <summary>Those that a live page shows.</summary>
    public const int PrefixesShown = 12;

    /// <summary>Bytes of what separates the parts of keys.</summary>
    public const int LongestSeparator = 16;

    /// <summary>How many times the memory there is the curve tells of.</summary>
    public static IReadOnlyList<double> CurveFactors { get; } = [0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10];

    /// <summary>Keys that the simulation of one such memory holds.</summary>
    public const int CurveKeysPerCache = 2048;

    /// <summary>The part of all keys that are drawn for it at first, of uint.MaxValue.</summary>
    public const uint CurveFirstThreshold = uint.MaxValue / 64;

    /// <summary>The largest part, where there are few keys, and they are used little.</summary>
    public const uint CurveHighestThreshold = CurveFirstThreshold * 8;

    /// <summary>The smallest: where that is too much, accesses are dropped.</summary>
    public const uint CurveLowestThreshold = uint.MaxValue >> 20;

    /// <summary>Accesses to keys that were drawn which are simulated in a tick, a tenth of a second: about a
    /// millisecond's work. Where more are drawn, the part of keys is halved.</summary>
    public const int CurveAccessesPerTick = 640;

    /// <summary>Those of all workers that may wait for it, and the fewest of one, powers of two.</summary>
    public const int CurveQueuedAccesses = 2048;

    /// <inheritdoc cref="CurveQueuedAccesses"/>
    public const int LeastCurveQueuedAccesses = 32;

    /// <summary>Keys of one command up to which they count for the curve; those of a longer one do not.</summary>
    public const int CurveKeysPerCommand = 512;

    /// <summary>The part of all reads from which on a key is too hot for chance to decide whether it counts.</summary>
    public const double CurveHotShare = 0.002;

    /// <summary>Keys that are so hot, or were within a day, whose reads are known.</summary>
    public const int CurveHotKeys = 256;

    /// <summary>Keys that were drawn whose reads are known one by one.</summary>
    public const int CurveNamedKeys = 2048;

    /// <summary>Bytes of their names that are kept, and of a prefix that the curve can be asked for.</summary>
    public const int CurveNameBytes = 40;

    /// <summary>For so long a simulation has room for four times as many keys before more are drawn, seconds.</summary>
    public const int CurveAmpleSeconds = 300;

    /// <summary>For so long one that was full does not count then, at most, as it has not got them yet, seconds.
    /// </summary>
    public const int CurveWarmUpSeconds = 600;

    /// <summary>An hour and a day, seconds.</summary>
    public const int CurveHourSeconds = 60 * 60;

    /// <inheritdoc cref="CurveHourSeconds"/>
    public const int CurveDaySeconds = 24 * CurveHourSeconds;

    /// <summary>In how many periods the curve of an hour, and that of a day, are kept.</summary>
    public const int CurvePeriodsOfHour = 20;

    /// <inheritdoc cref="CurvePeriodsOfHour"/>
    public const int CurvePeriodsOfDay = 24;

    /// <summary>In how many spans each of both is kept key by key.</summary>
    public const int CurveSpans = 3;

    /// <summary>Accesses of one worker that may wait, a power of two.</summary>
    /// <param name="workers">How many workers there are.</param>
    public static int CurveQueueLength(int workers)
        => Math.Max(
            LeastCurveQueuedAccesses, CurveQueuedAccesses / (int)BitOperations.RoundUpToPowerOf2((uint)workers));

    /// <summary>Owners of clients that a worker keeps apart.</summary>
    /// <param name="workers">How many workers there are.</param>
    public static int OwnersPerWorker(int workers)
        => Math.Clamp(Owners / workers, LeastOwnersPerWorker, MostOwnersPerWorker);

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
