using FsCheck;
using FsCheck.Fluent;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Collections;

/// <summary>A step of the line array's model test: line by line to another length.</summary>
internal readonly record struct LengthOperation(int Lines) : IOperation<LengthOperation>
{
    // At 16 lines there is a second segment, at 4,096 and 8,192 another page.
    private static readonly int[] s_borders = [0, 1, 2, 4, 8, 16, 4096, 8192];

    /// <summary>Lengths at the borders, short ones, and any.</summary>
    public static Gen<LengthOperation> Generator()
        => from choice in Gen.Choose(0, 2)
           from border in Gen.Elements(s_borders)
           from offset in Gen.Choose(-2, 2)
           from any in Gen.Choose(0, 9_000)
           select new LengthOperation(choice switch
           {
               0 => Math.Max(0, border + offset),
               1 => any % 40,
               _ => any,
           });

    public IEnumerable<LengthOperation> Simpler()
    {
        foreach (var lines in IOperation<LengthOperation>.SmallerThan(Lines))
        {
            yield return new LengthOperation(lines);
        }
    }
}
