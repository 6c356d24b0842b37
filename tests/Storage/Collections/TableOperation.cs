using FsCheck;
using FsCheck.Fluent;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Collections;

/// <summary>A step of the table's model test.</summary>
internal readonly record struct TableOperation(TableOperationKind Kind, int Key) : IOperation<TableOperation>
{
    /// <summary>Operations on as many keys; those that neither set nor remove find.</summary>
    public static Gen<TableOperation> Generator(int keys, int setPercent, int removePercent)
        => from choice in Gen.Choose(0, 99)
           from key in Gen.Choose(0, keys - 1)
           select new TableOperation(
               choice < setPercent ? TableOperationKind.Set
               : choice < setPercent + removePercent ? TableOperationKind.Remove
               : TableOperationKind.Find,
               key);

    public IEnumerable<TableOperation> Simpler()
    {
        foreach (var key in IOperation<TableOperation>.SmallerThan(Key))
        {
            yield return this with { Key = key };
        }
    }
}
