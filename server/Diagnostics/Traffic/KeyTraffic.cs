using System.Diagnostics;
using System.Runtime.CompilerServices;
using Strata.Storage.Index;

namespace Strata.Server.Diagnostics.Traffic;

/// <summary>
/// What one worker notes of the keys that its clients use: the most frequent by reads, writes and bytes. Of all
/// accesses it looks at one in <see cref="TrafficLimits.AccessesPerSample"/>, which chance draws, and counts it for all
/// of them; what is not drawn costs a subtraction. What was noted counts half after <see
/// cref="TrafficLimits.HotKeyHalfLife"/>, and so on: each sample's weight grows with time instead (forward decay,
/// Cormode, Shkapenyuk, Srivastava, Xu, ICDE 2009), so that nothing is to be done for those there are.
/// The worker's thread alone writes; any thread may copy what there is.
/// </summary>
public sealed class KeyTraffic
{
    private const int Measures = 3;

    // Weights are brought down before they lose digits beside what they are added to.
    private const double LargestScale = 1 << 30;

    // So often in a second the weight of new samples grows.
    private const int ScalesPerSecond = 16;

    private static readonly double s_halfLifeTicks = TrafficLimits.HotKeyHalfLife.TotalSeconds * Stopwatch.Frequency;

    private readonly FrequentKeys[] _frequent = new FrequentKeys[Measures];
    private readonly Random _random;
    private readonly long _started;
    private long _accessesLeft;
    private long _bytesLeft;
    private long _landmark;
    private long _scaledAt;
    private double _scale = 1;

    // Odd while something is changed (a sequence lock).
    private uint _version;

    /// <summary>Nothing was noted yet.</summary>
    /// <param name="random">Draws what is noted.</param>
    /// <param name="hotKeys">Keys that are watched of each kind.</param>
    /// <param name="timestamp">The clock's.</param>
    internal KeyTraffic(Random random, int hotKeys, long timestamp)
    {
        _random = random;
        for (var i = 0; i < Measures; i++)
        {
            _frequent[i] = new FrequentKeys(hotKeys);
        }

        _started = _landmark = _scaledAt = timestamp;
        _accessesLeft = random.Next(TrafficLimits.AccessesPerSample);
        _bytesLeft = random.Next(TrafficLimits.BytesPerSample);
    }

    /// <summary>Memory for so many keys, bytes, about: the program's own, which is there from the start and never more.
    /// </summary>
    public static int BytesFor(int hotKeys) => Measures * FrequentKeys.BytesFor(hotKeys);

    /// <summary>Counts accesses to keys. Mostly that is all.</summary>
    /// <param name="accesses">How many.</param>
    /// <param name="bytes">Of the commands and their replies.</param>
    /// <returns>False where some of it are to be noted: between <see cref="Begin"/> and <see cref="End"/>.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool Passes(int accesses, long bytes)
    {
        _accessesLeft -= accesses;
        _bytesLeft -= bytes;
        return (_accessesLeft | _bytesLeft) >= 0;
    }

    /// <summary>Notes nothing of what was counted last.</summary>
    internal void Pass()
    {
        _accessesLeft = Math.Max(_accessesLeft, _random.Next(2 * TrafficLimits.AccessesPerSample));
        _bytesLeft = Math.Max(_bytesLeft, _random.Next(2 * TrafficLimits.BytesPerSample));
    }

    /// <summary>Begins to note some of what was counted last.</summary>
    internal void Begin(long timestamp)
    {
        Volatile.Write(ref _version, _version + 1);
        Volatile.WriteBarrier();
        if (timestamp - _scaledAt > Stopwatch.Frequency / ScalesPerSecond)
        {
            _scaledAt = timestamp;
            _scale = ScaleAt(timestamp, _landmark);
            if (_scale > LargestScale)
            {
                Array.ForEach(_frequent, frequent => frequent.Scale(1 / _scale));
                _landmark = timestamp;
                _scale = 1;
            }
        }
    }

    /// <summary>Some was noted.</summary>
    internal void End() => Volatile.Write(ref _version, _version + 1);

    /// <summary>Draws one of the accesses that were counted last.</summary>
    /// <param name="accesses">How many they were.</param>
    /// <param name="stride">How many times as seldom some are drawn; such a one counts for as many times more.</param>
    /// <param name="index">Which one it is.</param>
    /// <returns>False where no more is to be noted.</returns>
    internal bool TryDraw(int accesses, int stride, out int index)
    {
        index = accesses + (int)_accessesLeft;
        if (_accessesLeft >= 0)
        {
            return false;
        }

        _accessesLeft += stride * _random.Next(1, 2 * TrafficLimits.AccessesPerSample);
        return true;
    }

    /// <summary>Notes an access that was drawn.</summary>
    internal void NoteAccess(in Key key, bool isWrite, int stride)
        => Of(isWrite ? HotKeyMeasure.Writes : HotKeyMeasure.Reads)
            .Add(key, _scale * stride * TrafficLimits.AccessesPerSample);

    /// <summary>Where nothing more is to be noted of bytes, false; else they are counted anew, one command after the
    /// other (<see cref="NoteBytes"/>).</summary>
    /// <param name="bytes">Those that were counted last.</param>
    internal bool TryRecount(long bytes)
    {
        if (_bytesLeft >= 0)
        {
            return false;
        }

        _bytesLeft += bytes;
        return true;
    }

    /// <summary>Notes the bytes of one of the commands that were counted last, and of its reply; of few only where
    /// chance draws them.</summary>
    internal void NoteBytes(in Key key, long bytes)
    {
        if (bytes >= TrafficLimits.BytesNotedWhole)
        {
            Of(HotKeyMeasure.Bytes).Add(key, _scale * bytes);
            return;
        }

        var drawn = 0;
        for (_bytesLeft -= bytes; _bytesLeft < 0; drawn++)
        {
            _bytesLeft += _random.Next(1, 2 * TrafficLimits.BytesPerSample);
        }

        if (drawn > 0)
        {
            Of(HotKeyMeasure.Bytes).Add(key, _scale * drawn * TrafficLimits.BytesPerSample);
        }
    }

    /// <summary>Copies the keys that are watched. Any thread; it waits for nobody.</summary>
    /// <param name="measure">By what.</param>
    /// <param name="timestamp">The clock's.</param>
    /// <param name="copy">Where to.</param>
    /// <returns>False where the worker was at it again and again: there is nothing.</returns>
    internal bool TryCopy(HotKeyMeasure measure, long timestamp, FrequentKeysCopy copy)
    {
        var frequent = Of(measure);
        for (var attempt = 0; attempt < FrequentKeysCopy.Attempts; attempt++)
        {
            var version = Volatile.Read(ref _version);
            if ((version & 1) == 0)
            {
                copy.Take(frequent);
                var landmark = _landmark;
                Volatile.ReadBarrier();
                if (Volatile.Read(ref _version) == version)
                {
                    copy.Unseen = 1 / ScaleAt(Math.Max(timestamp, _started + 1), _started);
                    copy.PerSecond = Math.Log(2) / TrafficLimits.HotKeyHalfLife.TotalSeconds
                        / (1 - copy.Unseen) / ScaleAt(timestamp, landmark);
                    return true;
                }
            }

            Thread.SpinWait(1);
        }

        return false;
    }

    private static double ScaleAt(long timestamp, long landmark)
        => double.Exp2((timestamp - landmark) / s_halfLifeTicks);

    private FrequentKeys Of(HotKeyMeasure measure) => _frequent[(int)measure];
}
