using FsCheck;
using FsCheck.Fluent;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Memory;

/// <summary>A step of the heap's model test.</summary>
/// <param name="Bytes">Bytes of a block that is allocated; 0 when one is freed.</param>
/// <param name="Block">Which block is freed, modulo their number.</param>
/// <param name="Mark">What the new block is filled with.</param>
internal readonly record struct BlockOperation(int Bytes, int Block, byte Mark) : IOperation<BlockOperation>
{
    /// <summary>Operations of which so many allocate: mostly a little, at times more than slabs have blocks for.
    /// </summary>
    public static Gen<BlockOperation> Generator(int allocatePercent)
        => from choice in Gen.Choose(0, 999)
           from bytes in Gen.Choose(1, choice % 10 == 0 ? 30_000 : 300)
           from block in Gen.Choose(0, int.MaxValue - 1)
           select new BlockOperation(choice < allocatePercent * 10 ? bytes : 0, block, (byte)block);

    public IEnumerable<BlockOperation> Simpler()
    {
        foreach (var bytes in IOperation<BlockOperation>.SmallerThan(Bytes).Where(bytes => bytes > 0))
        {
            yield return this with { Bytes = bytes };
        }

        foreach (var block in IOperation<BlockOperation>.SmallerThan(Block))
        {
            yield return this with { Block = block };
        }
    }
}
