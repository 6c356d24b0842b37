using System.Globalization;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Strata.Storage.Collections.Lists;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Collections.Lists;

/// <summary>A step of the lists' model test.</summary>
/// <param name="Kind">What is done.</param>
/// <param name="End">Where an element is pushed, popped, trimmed or rotated.</param>
/// <param name="Place">Which element is meant, or how many are trimmed; modulo the list's length.</param>
/// <param name="Count">Elements removed.</param>
/// <param name="Length">Bytes of the new element; -1: the digits of <paramref name="Content"/>.</param>
/// <param name="Content">What tells the new element from others.</param>
internal readonly record struct ListOperation(
    ListOperationKind Kind, ListEnd End, int Place, int Count, int Length, int Content) : IOperation<ListOperation>
{
    // Half of the choices are small, so that blocks hold many.
    private static readonly int[] s_lengths = [0, 1, 3, 10, 50, 50, 50, 200, 253, 254, 300, 1500, 3000, 9000, 40_000];

    /// <summary>Operations on lists that grow or shrink.</summary>
    /// <param name="grows">Whether more is added than removed.</param>
    /// <param name="longest">Bytes of the longest elements.</param>
    public static Gen<ListOperation> Generator(bool grows, int longest)
    {
        var lengths = s_lengths.Where(length => length <= longest).ToArray();
        return from kind in Gen.Choose(0, 1999)
               from place in Gen.Choose(0, int.MaxValue - 1)
               from shape in Gen.Choose(0, 319)
               from lengthIndex in Gen.Choose(0, lengths.Length - 1)
               from content in Gen.Choose(-100_000, 100_000)
               select new ListOperation(
                   grows ? KindToGrow(kind) : KindToShrink(kind),
                   (shape & 1) == 0 ? ListEnd.Head : ListEnd.Tail,
                   place,
                   Count: 1 + (kind % 4),
                   Length: (shape / 2 % 8) switch { 0 or 1 => -1, 2 or 3 => lengths[lengthIndex], _ => shape / 16 },
                   content);
    }

    /// <summary>The new element.</summary>
    public byte[] Element()
    {
        if (Length < 0)
        {
            return Encoding.ASCII.GetBytes(Content.ToString(CultureInfo.InvariantCulture));
        }

        var element = new byte[Length];
        var state = (uint)Content;
        for (var i = 0; i < element.Length; i++)
        {
            state = (state * 1_664_525) + 1_013_904_223; // Any generator will do.
            element[i] = (byte)(state >> 24);
        }

        return element;
    }

    public IEnumerable<ListOperation> Simpler()
    {
        foreach (var place in IOperation<ListOperation>.SmallerThan(Place))
        {
            yield return this with { Place = place };
        }

        foreach (var count in IOperation<ListOperation>.SmallerThan(Count).Where(count => count > 0))
        {
            yield return this with { Count = count };
        }

        foreach (var length in IOperation<ListOperation>.SmallerThan(Length))
        {
            yield return this with { Length = length };
        }

        foreach (var content in IOperation<ListOperation>.SmallerThan(Content))
        {
            yield return this with { Content = content };
        }
    }

    private static ListOperationKind KindToGrow(int choice) => choice switch
    {
        0 => ListOperationKind.Freeze,
        1 => ListOperationKind.Trim,
        < 100 => ListOperationKind.Remove,
        < 200 => ListOperationKind.Rotate,
        < 300 => ListOperationKind.Replace,
        < 600 => ListOperationKind.Insert,
        _ => ListOperationKind.Push,
    };

    private static ListOperationKind KindToShrink(int choice) => choice switch
    {
        0 => ListOperationKind.Freeze,
        < 15 => ListOperationKind.Trim,
        < 100 => ListOperationKind.Rotate,
        < 200 => ListOperationKind.Replace,
        < 300 => ListOperationKind.Insert,
        < 400 => ListOperationKind.Push,
        < 800 => ListOperationKind.Remove,
        _ => ListOperationKind.Pop,
    };
}
