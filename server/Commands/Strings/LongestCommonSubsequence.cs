using System.Numerics;

namespace Strata.Server.Commands.Strings;

/// <summary>
/// The longest common subsequence of two byte strings. Of the table of lengths only one bit a cell is computed, 64
/// cells at a time: whether a row's length grows at a column (H. Hyyrö, "Bit-Parallel LCS-length Computation
/// Revisited", 2004). Those bits are also all that is needed to walk back through the table. Where several
/// subsequences are longest, the walk prefers to step back in the second string, which gives the same one as Redis.
/// </summary>
internal sealed class LongestCommonSubsequence
{
    private LongestCommonSubsequence(IReadOnlyList<LcsMatch> matches, int totalLength)
    {
        Matches = matches;
        TotalLength = totalLength;
    }

    /// <summary>Its contiguous stretches, the last one first.</summary>
    public IReadOnlyList<LcsMatch> Matches { get; }

    /// <summary>Its length, bytes.</summary>
    public int TotalLength { get; }

    /// <summary>The length alone, in memory for one row.</summary>
    public static int Length(ReadOnlySpan<byte> first, ReadOnlySpan<byte> second)
    {
        // Set bits are columns where the row's length does not grow.
        var words = WordsFor(second.Length);
        var row = new ulong[words];
        row.AsSpan().Fill(ulong.MaxValue);
        var masks = new MatchMasks(first, second);
        foreach (var c in first)
        {
            NextRow(row, masks.Of(c), row);
        }

        return Grown(row, second.Length);
    }

    /// <summary>The subsequence.</summary>
    public static LongestCommonSubsequence Find(ReadOnlySpan<byte> first, ReadOnlySpan<byte> second)
    {
        var words = WordsFor(second.Length);
        var rows = new ulong[(long)(first.Length + 1) * words];
        rows.AsSpan(0, words).Fill(ulong.MaxValue);
        var masks = new MatchMasks(first, second);
        for (var i = 0; i < first.Length; i++)
        {
            NextRow(rows.AsSpan(i * words, words), masks.Of(first[i]), rows.AsSpan((i + 1) * words, words));
        }

        var length = Grown(rows.AsSpan(first.Length * words, words), second.Length);
        return new LongestCommonSubsequence(WalkBack(first, second, rows), length);
    }

    private static int WordsFor(int columns) => (columns + 63) / 64;

    private static void NextRow(ReadOnlySpan<ulong> row, ReadOnlySpan<ulong> matches, Span<ulong> next)
    {
        var carry = 0UL;
        for (var i = 0; i < next.Length; i++)
        {
            var before = row[i];
            var both = before & matches[i];
            var sum = before + both;
            var overflow = sum < before ? 1UL : 0UL;
            sum += carry;
            overflow |= sum < carry ? 1UL : 0UL;
            next[i] = sum | (before & ~both);
            carry = overflow;
        }
    }

    private static int Grown(ReadOnlySpan<ulong> row, int columns)
    {
        var grown = 0;
        for (var i = 0; i < row.Length; i++)
        {
            var used = columns - (i * 64) >= 64 ? ulong.MaxValue : (1UL << (columns & 63)) - 1;
            grown += BitOperations.PopCount(~row[i] & used);
        }

        return grown;
    }

    private static List<LcsMatch> WalkBack(ReadOnlySpan<byte> first, ReadOnlySpan<byte> second, ulong[] rows)
    {
        var matches = new List<LcsMatch>();
        var words = WordsFor(second.Length);
        var i = first.Length;
        var j = second.Length;
        while (i > 0 && j > 0)
        {
            var length = 0;
            while (i > 0 && j > 0 && first[i - 1] == second[j - 1])
            {
                i--;
                j--;
                length++;
            }

            if (length > 0)
            {
                matches.Add(new LcsMatch(i, j, length));
            }
            else if ((rows[(i * words) + ((j - 1) >> 6)] >> ((j - 1) & 63) & 1) == 0)
            {
                i--; // The length grows at this column, so it is less one column before, but not one row before.
            }
            else
            {
                j--;
            }
        }

        return matches;
    }

    /// <summary>For each byte of the first string, the positions where the second has it, as bits.</summary>
    private sealed class MatchMasks
    {
        private readonly int[] _starts = new int[256];
        private readonly ulong[] _bits;
        private readonly int _words;

        public MatchMasks(ReadOnlySpan<byte> first, ReadOnlySpan<byte> second)
        {
            _words = WordsFor(second.Length);
            Array.Fill(_starts, -1);
            var top = 0;
            foreach (var c in first)
            {
                if (_starts[c] < 0)
                {
                    _starts[c] = top;
                    top += _words;
                }
            }

            _bits = new ulong[top];
            for (var j = 0; j < second.Length; j++)
            {
                if (_starts[second[j]] >= 0)
                {
                    _bits[_starts[second[j]] + (j >> 6)] |= 1UL << (j & 63);
                }
            }
        }

        public ReadOnlySpan<ulong> Of(byte c) => _bits.AsSpan(_starts[c], _words);
    }
}
