using FsCheck;
using FsCheck.Fluent;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Collections.SortedSets;

/// <summary>A step of the sorted sets' model test.</summary>
/// <param name="Kind">What is done.</param>
/// <param name="Key">The number of the set.</param>
/// <param name="Member">The number of the member.</param>
/// <param name="Quarters">The score in quarters, or where a range of one begins.</param>
internal readonly record struct SortedSetOperation(SortedSetOperationKind Kind, int Key, int Member, int Quarters)
    : IOperation<SortedSetOperation>
{
    /// <summary>Operations on so many sets that grow or shrink.</summary>
    public static Gen<SortedSetOperation> Generator(int keys, int members, int setPercent, int removePercent)
        => from choice in Gen.Choose(0, 99)
           from key in Gen.Choose(0, keys - 1)
           from member in Gen.Choose(0, members - 1)
           from quarters in Gen.Choose(0, 19)
           select new SortedSetOperation(
               choice < setPercent ? SortedSetOperationKind.Set
               : choice < setPercent + removePercent ? SortedSetOperationKind.Remove
               : choice % 4 == 0 ? SortedSetOperationKind.RemoveRange
               : SortedSetOperationKind.Freeze,
               key,
               member,
               quarters);

    public IEnumerable<SortedSetOperation> Simpler()
    {
        foreach (var key in IOperation<SortedSetOperation>.SmallerThan(Key))
        {
            yield return this with { Key = key };
        }

        foreach (var member in IOperation<SortedSetOperation>.SmallerThan(Member))
        {
            yield return this with { Member = member };
        }

        foreach (var quarters in IOperation<SortedSetOperation>.SmallerThan(Quarters))
        {
            yield return this with { Quarters = quarters };
        }
    }
}
