using FsCheck;
using FsCheck.Fluent;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Collections.SortedSets;

/// <summary>A step of the tree's model test.</summary>
/// <param name="Kind">What is done.</param>
/// <param name="Place">The rank of the element that is meant, modulo their number.</param>
/// <param name="Score">The new score; when nudged, what is added, in quarters, and two.</param>
/// <param name="Member">The number of the new member.</param>
internal readonly record struct ScoreOperation(ScoreOperationKind Kind, int Place, int Score, int Member)
    : IOperation<ScoreOperation>
{
    private const int NudgeQuarters = 16;

    /// <summary>Operations of which two thirds insert one way or remove, and the others change scores.</summary>
    /// <param name="insertion">How is inserted.</param>
    /// <param name="insertPercent">Of a hundred insertions and removals, insertions.</param>
    /// <param name="scores">Different scores.</param>
    public static Gen<ScoreOperation> Generator(ScoreOperationKind insertion, int insertPercent, int scores)
        => from kind in Gen.Choose(0, 8).SelectMany(
               choice => Gen.Choose(0, 99),
               (choice, percent) => KindOf(choice, percent < insertPercent ? insertion : null))
           from place in Gen.Choose(0, int.MaxValue - 1)
           from score in Gen.Choose(0, kind == ScoreOperationKind.Nudge ? NudgeQuarters : scores - 1)
           from member in Gen.Choose(0, int.MaxValue - 1)
           select new ScoreOperation(kind, place, score, member);

    /// <summary>Operations of a phase: the tree grows in one of three ways, or shrinks.</summary>
    public static Gen<Gen<ScoreOperation>> Phases(int scores)
        => Gen.Elements(
            Generator(ScoreOperationKind.InsertLast, 95, scores),
            Generator(ScoreOperationKind.InsertFirst, 95, scores),
            Generator(ScoreOperationKind.Insert, 95, scores),
            Generator(ScoreOperationKind.Insert, 50, scores),
            Generator(ScoreOperationKind.Insert, 5, scores));

    /// <summary>What a score is nudged by, two down to two up.</summary>
    public double Nudged(double score) => score + ((Score - (NudgeQuarters / 2)) / 4.0);

    public IEnumerable<ScoreOperation> Simpler()
    {
        foreach (var place in IOperation<ScoreOperation>.SmallerThan(Place))
        {
            yield return this with { Place = place };
        }

        foreach (var score in IOperation<ScoreOperation>.SmallerThan(Score))
        {
            yield return this with { Score = score };
        }

        foreach (var member in IOperation<ScoreOperation>.SmallerThan(Member))
        {
            yield return this with { Member = member };
        }
    }

    private static ScoreOperationKind KindOf(int choice, ScoreOperationKind? insertion) => choice switch
    {
        < 2 => ScoreOperationKind.Nudge,
        2 => ScoreOperationKind.ChangeScore,
        _ when insertion != null => insertion.Value,
        < 5 => ScoreOperationKind.RemoveFirst,
        < 7 => ScoreOperationKind.RemoveLast,
        _ => ScoreOperationKind.Remove,
    };
}
