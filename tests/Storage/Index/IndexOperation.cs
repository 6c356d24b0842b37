using FsCheck;
using FsCheck.Fluent;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Index;

/// <summary>A step of the index's model test, on the entry with a number.</summary>
internal readonly record struct IndexOperation(IndexOperationKind Kind, int Number) : IOperation<IndexOperation>
{
    /// <summary>Operations on so many entries; those that neither insert nor remove shrink the table.</summary>
    public static Gen<IndexOperation> Generator(int entries, int insertPercent, int removePercent)
        => from choice in Gen.Choose(0, 99)
           from number in Gen.Choose(0, entries - 1)
           select new IndexOperation(
               choice < insertPercent ? IndexOperationKind.Insert
               : choice < insertPercent + removePercent ? IndexOperationKind.Remove
               : IndexOperationKind.Shrink,
               number);

    public IEnumerable<IndexOperation> Simpler()
    {
        foreach (var number in IOperation<IndexOperation>.SmallerThan(Number))
        {
            yield return this with { Number = number };
        }
    }
}
