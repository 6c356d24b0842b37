using FsCheck;
using FsCheck.Fluent;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Collections;

/// <summary>A step of the time heap's model test.</summary>
/// <param name="Kind">What is done.</param>
/// <param name="Item">Which item is meant, modulo their number.</param>
/// <param name="TimeMs">The new time.</param>
internal readonly record struct TimeOperation(TimeOperationKind Kind, int Item, int TimeMs)
    : IOperation<TimeOperation>
{
    /// <summary>Operations with so many different times.</summary>
    public static Gen<TimeOperation> Generator(int times, int addPercent, int removePercent)
        => from choice in Gen.Choose(0, 99)
           from item in Gen.Choose(0, int.MaxValue - 1)
           from time in Gen.Choose(0, times - 1)
           select new TimeOperation(KindOf(choice, addPercent, removePercent), item, time);

    public IEnumerable<TimeOperation> Simpler()
    {
        foreach (var item in IOperation<TimeOperation>.SmallerThan(Item))
        {
            yield return this with { Item = item };
        }

        foreach (var timeMs in IOperation<TimeOperation>.SmallerThan(TimeMs))
        {
            yield return this with { TimeMs = timeMs };
        }
    }

    private static TimeOperationKind KindOf(int choice, int addPercent, int removePercent)
    {
        if (choice < addPercent)
        {
            return TimeOperationKind.Add;
        }

        if (choice < addPercent + removePercent)
        {
            return choice % 2 == 0 ? TimeOperationKind.RemoveFirst : TimeOperationKind.Remove;
        }

        return choice % 4 == 0 ? TimeOperationKind.Replace : TimeOperationKind.Move;
    }
}
