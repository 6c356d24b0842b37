using FsCheck;
using FsCheck.Fluent;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Sharding;

/// <summary>A step of the shard's model test.</summary>
/// <param name="Kind">What is done.</param>
/// <param name="Number">The key's number.</param>
/// <param name="Database">The key's database.</param>
/// <param name="Length">Bytes of the value.</param>
/// <param name="Capacity">Bytes to keep free for it, if more.</param>
/// <param name="Fill">What the value consists of.</param>
/// <param name="DelayMs">After how long the key expires, -1 for never; how much time goes by.</param>
internal readonly record struct ShardOperation(
    ShardOperationKind Kind, int Number, byte Database, int Length, int Capacity, byte Fill, int DelayMs)
    : IOperation<ShardOperation>
{
    /// <summary>Operations on so many keys in each of two databases, of which the second is used little.</summary>
    public static Gen<ShardOperation> Generator(int keys)
        => from choice in Gen.Choose(0, 9999)
           from number in Gen.Choose(0, keys - 1)
           from shape in Gen.Choose(0, int.MaxValue - 1)
           from length in Lengths()
           from capacity in shape % 20 == 0 ? Lengths() : Gen.Constant(0)
           from delayMs in Gen.Choose(0, 4999)
           select new ShardOperation(
               KindOf(choice),
               number,
               Database: (byte)(shape / 20 % 10 == 0 ? 1 : 0),
               length,
               capacity,
               Fill: (byte)(1 + (shape / 200 % 255)),
               DelayMs: shape / 51_000 % 4 == 0 ? delayMs : -1);

    public IEnumerable<ShardOperation> Simpler()
    {
        foreach (var number in IOperation<ShardOperation>.SmallerThan(Number))
        {
            yield return this with { Number = number };
        }

        foreach (var length in IOperation<ShardOperation>.SmallerThan(Length))
        {
            yield return this with { Length = length };
        }

        foreach (var capacity in IOperation<ShardOperation>.SmallerThan(Capacity))
        {
            yield return this with { Capacity = capacity };
        }

        if (Database != 0)
        {
            yield return this with { Database = 0 };
        }

        if (DelayMs != -1)
        {
            yield return this with { DelayMs = -1 };
        }

        foreach (var delayMs in IOperation<ShardOperation>.SmallerThan(DelayMs))
        {
            yield return this with { DelayMs = delayMs };
        }
    }

    /// <summary>Mostly short, at times longer than a page.</summary>
    private static Gen<int> Lengths()
        => from choice in Gen.Choose(0, 999)
           from length in Gen.Choose(0, choice switch
           {
               0 => 299_999,
               < 5 => 19_999,
               < 50 => 0,
               < 500 => 15,
               _ => 499,
           })
           select length;

    private static ShardOperationKind KindOf(int choice) => choice switch
    {
        0 => ShardOperationKind.Clear,
        1 => ShardOperationKind.ClearDatabase,
        < 1000 => ShardOperationKind.Look,
        < 1100 => ShardOperationKind.RunCycle,
        < 1500 => ShardOperationKind.Pass,
        < 2500 => ShardOperationKind.SetExpiry,
        < 4000 => ShardOperationKind.Remove,
        < 4750 => ShardOperationKind.Grow,
        < 5500 => ShardOperationKind.Resize,
        _ => ShardOperationKind.Put,
    };
}
