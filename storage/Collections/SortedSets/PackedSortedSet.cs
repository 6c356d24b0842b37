using System.Runtime.CompilerServices;

namespace Strata.Storage.Collections.SortedSets;

/// <summary>Looks into a packed sorted set: the value of a record, elements one behind the other in order.</summary>
internal static unsafe class PackedSortedSet
{
    /// <summary>The first element; or where it would be.</summary>
    public static byte* First(byte* packed) => packed + PackedForm.HeaderBytes;

    /// <summary>The score that is kept for one that is given: of the two zeros the positive one, as Redis's packed sets
    /// write integers as such. Large sets keep the negative one.</summary>
    public static double ScoreOf(double score) => score + 0.0;

    /// <summary>Has all scores be such (<see cref="ScoreOf"/>).</summary>
    public static void NormalizeScores(byte* packed)
    {
        var element = First(packed);
        for (var left = CountOf(packed); left > 0; left--)
        {
            ScoredElement.SetScore(element, ScoreOf(ScoredElement.ScoreOf(element)));
            element = Skip(element, 1);
        }
    }

    /// <summary>Elements.</summary>
    public static int CountOf(byte* packed) => Unsafe.ReadUnaligned<int>(packed);

    /// <summary>The element of a member, or null.</summary>
    public static byte* Find(byte* packed, ReadOnlySpan<byte> member, out int rank)
    {
        var count = CountOf(packed);
        var element = First(packed);
        for (rank = 0; rank < count; rank++)
        {
            var found = ScoredElement.MemberOf(element);
            if (found.Length == member.Length && found.SequenceEqual(member))
            {
                return element;
            }

            element += sizeof(double) + PackedForm.SizeOf(found.Length);
        }

        return null;
    }

    /// <summary>The first element not before a bound, or the end, and how many are before it.</summary>
    public static byte* Find<TBound>(byte* packed, TBound bound, out int rank)
        where TBound : struct, IScoreBound, allows ref struct
    {
        var count = CountOf(packed);
        var element = First(packed);
        for (rank = 0; rank < count && bound.IsAbove(ScoredElement.ScoreOf(element), element); rank++)
        {
            element += ScoredElement.BytesOf(element);
        }

        return element;
    }

    /// <summary>The element <paramref name="steps"/> behind another, or the end.</summary>
    public static byte* Skip(byte* element, long steps)
    {
        for (; steps > 0; steps--)
        {
            element += ScoredElement.BytesOf(element);
        }

        return element;
    }
}
