using System.Globalization;
using FsCheck;
using FsCheck.Fluent;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Collections.Sets;

/// <summary>A step of the sets' model test.</summary>
/// <param name="Kind">What is done.</param>
/// <param name="Key">The number of the set.</param>
/// <param name="Other">The number of the set the union is made with.</param>
/// <param name="Member">The member that is meant.</param>
/// <param name="Seed">Chooses what is drawn, and for how many members room is made.</param>
internal readonly record struct SetOperation(
    SetOperationKind Kind, int Key, int Other, string Member, int Seed) : IOperation<SetOperation>
{
    /// <summary>Operations on so many sets.</summary>
    /// <param name="keys">Sets.</param>
    /// <param name="members">Numbers that are members.</param>
    /// <param name="addPercent">Of a hundred edits, those that add.</param>
    public static Gen<SetOperation> Generator(int keys, int members, int addPercent)
        => from choice in Gen.Choose(0, 99)
           from isAdded in Gen.Choose(0, 99).Select(percent => percent < addPercent)
           from key in Gen.Choose(0, keys - 1)
           from other in Gen.Choose(0, keys - 1)
           from member in Members(members)
           from seed in Gen.Choose(0, 999)
           select new SetOperation(KindOf(choice, isAdded), key, other, member, seed);

    public IEnumerable<SetOperation> Simpler()
    {
        foreach (var key in IOperation<SetOperation>.SmallerThan(Key))
        {
            yield return this with { Key = key };
        }

        foreach (var other in IOperation<SetOperation>.SmallerThan(Other))
        {
            yield return this with { Other = other };
        }

        foreach (var length in IOperation<SetOperation>.SmallerThan(Member.Length))
        {
            yield return this with { Member = Member[..length] };
        }

        foreach (var seed in IOperation<SetOperation>.SmallerThan(Seed))
        {
            yield return this with { Seed = seed };
        }
    }

    private static SetOperationKind KindOf(int choice, bool isAdded) => choice switch
    {
        < 20 => SetOperationKind.Contains,
        < 25 => SetOperationKind.Draw,
        < 26 => SetOperationKind.Delete,
        < 28 => SetOperationKind.StoreUnion,
        _ => isAdded ? SetOperationKind.Add : SetOperationKind.Remove,
    };

    private static Gen<string> Members(int members)
        => from form in Gen.Choose(0, 399)
           from number in Gen.Choose(0, members - 1)
           from length in Gen.Choose(1, 399)
           select form switch
           {
               0 => new string('x', length),
               1 => "",
               < 4 => $"m{number}",
               < 5 => long.MinValue.ToString(CultureInfo.InvariantCulture),
               < 6 => (number * 100_000_007L).ToString(CultureInfo.InvariantCulture),
               < 60 => (-number).ToString(CultureInfo.InvariantCulture),
               _ => number.ToString(CultureInfo.InvariantCulture),
           };
}
