namespace Strata.Storage.Records;

/// <summary>
/// What of a cache goes to its small queue and what to its main one, and which part the small one has. Of the keys that
/// each queue gave up it is counted how many were asked for soon after: where more of the small one's were, room is
/// worth more there, and it grows; else it shrinks, down to a 64th. Traffic whose popular keys stay wants it small,
/// traffic whose keys are popular for a short time large: what is proven there is dead soon. (As the lists of ARC
/// follow their ghosts; Megiddo, Modha, FAST '03.) One thread at a time.
/// </summary>
public sealed class QueueBalance
{
    /// <summary>The least part, one of so many. The tenth of the S3-FIFO paper costs 0.4 points of hits on Zipf 0.99:
    /// what a longer stay there would tell of a key, the ghosts tell in less memory.</summary>
    public const int LeastParts = 64;

    private const double Most = 0.9;
    private const double Step = 1.5;

    // By so much one must return more often than the other. Of few evictions chance would tell.
    private const double LeastRatio = 1.1;
    private const double LeastDifference = 0.002;
    private const int FewEvictions = 8;

    // How often it is judged: after so many evictions, or a part of the keys held. What came before counts half.
    private const int LeastEvictions = 256;
    private const int PeriodsPerHeld = 8;
    private const double Decay = 0.5;

    // Before the main queue is full it gives up nothing, which says nothing of it.
    private const int LeastMainEvictions = 32;

    // Of so many new keys of which none was remembered one goes to the main queue. Where nothing that comes again does
    // so before it is forgotten, as in a loop over several times what fits, that queue would else hold for ever what it
    // has, though nobody reads it.
    private const int UnknownPerChance = 64;

    private Counts _small;
    private Counts _main;
    private long _sinceJudged;
    private int _unknown;

    /// <summary>The part of the small queue.</summary>
    public double Share { get; private set; } = 1.0 / LeastParts;

    /// <summary>A key was given up.</summary>
    /// <param name="isProven">Whether it was of the main queue.</param>
    /// <param name="held">How many keys are held.</param>
    public void CountEvicted(bool isProven, long held)
    {
        Of(isProven).Evicted++;
        if (++_sinceJudged >= Math.Max(LeastEvictions, held / PeriodsPerHeld) && _main.Evicted >= LeastMainEvictions)
        {
            _sinceJudged = 0;
            Judge();
        }
    }

    /// <summary>Whether a new key goes to the main queue: it is remembered as one that the small queue has given up, or
    /// it is taken for such, since none was for long.</summary>
    /// <param name="ghost">What is remembered of it.</param>
    public bool IsForMain(in Ghost ghost)
    {
        if (ghost.IsYoung)
        {
            Of(ghost.IsProven).Returned++;
        }

        if (ghost is { IsKnown: true, IsProven: false })
        {
            _unknown = Math.Max(_unknown - UnknownPerChance, -2 * UnknownPerChance);
            return true;
        }

        if (++_unknown < UnknownPerChance)
        {
            return false;
        }

        _unknown = 0;
        return true;
    }

    private void Judge()
    {
        var (small, main) = (_small.Ratio, _main.Ratio);
        Share = small > (main * LeastRatio) + LeastDifference ? Math.Min(Most, Share * Step)
            : main > (small * LeastRatio) + LeastDifference ? Math.Max(1.0 / LeastParts, Share / Step)
            : Share;
        _small.Age();
        _main.Age();
    }

    private ref Counts Of(bool isProven) => ref isProven ? ref _main : ref _small;

    private struct Counts
    {
        public double Evicted;
        public double Returned;

        public readonly double Ratio => Returned / (Evicted + FewEvictions);

        public void Age() => (Evicted, Returned) = (Evicted * Decay, Returned * Decay);
    }
}
