using System.Numerics;

namespace Strata.Storage.Records;

/// <summary>How many records expire within which time, in steps of an eighth of the time.</summary>
internal sealed class ExpiryHistogram
{
    private const int RecordsPerExpired = 32;
    private const int StepBits = 3;
    private const int Steps = 1 << StepBits;

    private readonly int[] _counts = new int[(64 - StepBits + 1) * Steps];
    private int _top;

    public int Count { get; private set; }

    public void Clear()
    {
        Array.Clear(_counts, 0, _top);
        _top = 0;
        Count = 0;
    }

    /// <summary>Counts a record that expires in <paramref name="leftMs"/>; what is past counts as now.</summary>
    public void Add(long leftMs)
    {
        var cell = CellOf((ulong)Math.Max(0, leftMs));
        _counts[cell]++;
        _top = Math.Max(_top, cell + 1);
        Count++;
    }

    /// <summary>A time, in milliseconds from now, within which at least <paramref name="rank"/> records expire (all,
    /// when there are fewer) and hardly more.</summary>
    public long AtRank(int rank)
    {
        var seen = 0;
        for (var cell = 0; cell < _top; cell++)
        {
            seen += _counts[cell];
            if (seen >= rank || cell == _top - 1)
            {
                return EndOf(cell);
            }
        }

        return 0;
    }

    /// <summary>When a walk over the page counted here, of <paramref name="walked"/> records, will be worth its while,
    /// milliseconds since 1970: when one in 32 of them has expired.</summary>
    public long DueMs(long nowMs, int walked)
        => Count == 0 ? long.MaxValue : nowMs + AtRank(Math.Max(1, walked / RecordsPerExpired));

    private static int CellOf(ulong time)
    {
        if (time < Steps)
        {
            return (int)time;
        }

        var shift = BitOperations.Log2(time) - StepBits;
        return ((shift + 1) << StepBits) + (int)((time >> shift) & (Steps - 1));
    }

    private static long EndOf(int cell)
    {
        if (cell < Steps)
        {
            return cell;
        }

        var shift = (cell >> StepBits) - 1;
        var start = (ulong)(Steps + (cell & (Steps - 1))) << shift;
        return (long)Math.Min(start + (1UL << shift) - 1, long.MaxValue / 2);
    }
}
