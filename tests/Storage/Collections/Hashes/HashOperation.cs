using FsCheck;
using FsCheck.Fluent;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Collections.Hashes;

/// <summary>A step of the hashes' model test.</summary>
/// <param name="Kind">What is done.</param>
/// <param name="Key">The number of the hash.</param>
/// <param name="Field">The number of the field.</param>
/// <param name="Length">Bytes of a value.</param>
/// <param name="Letter">What the value is made of, counted from a.</param>
/// <param name="DelayMs">After how long a field expires.</param>
internal readonly record struct HashOperation(
    HashOperationKind Kind, int Key, int Field, int Length, int Letter, int DelayMs) : IOperation<HashOperation>
{
    // Values of packed hashes have up to 64 bytes.
    private static readonly int[] s_packedLengths = [0, 1, 5, 20, 60, 64];
    private static readonly int[] s_lengths = [.. s_packedLengths, 65, 253, 254, 300, 12_000];

    /// <summary>Operations on hashes that grow or shrink.</summary>
    /// <param name="keys">Hashes.</param>
    /// <param name="fields">Fields a hash may have.</param>
    /// <param name="longPermille">Of a thousand values, those that may be too long for a packed hash.</param>
    /// <param name="setPercent">Of a hundred changes, those that set a field; the others remove one.</param>
    public static Gen<HashOperation> Generator(int keys, int fields, int longPermille, int setPercent)
        => from choice in Gen.Choose(0, 1999)
           from change in Gen.Choose(0, 99)
           from key in Gen.Choose(0, keys - 1)
           from field in Gen.Choose(0, fields - 1)
           from lengths in Gen.Choose(0, 999).Select(at => at < longPermille ? s_lengths : s_packedLengths)
           from length in Gen.Choose(0, lengths.Length - 1).Select(at => lengths[at])
           from letter in Gen.Choose(0, 25)
           from delayMs in Gen.Choose(0, 1999)
           select new HashOperation(KindOf(choice, change < setPercent), key, field, length, letter, delayMs);

    public IEnumerable<HashOperation> Simpler()
    {
        foreach (var key in IOperation<HashOperation>.SmallerThan(Key))
        {
            yield return this with { Key = key };
        }

        foreach (var field in IOperation<HashOperation>.SmallerThan(Field))
        {
            yield return this with { Field = field };
        }

        foreach (var length in IOperation<HashOperation>.SmallerThan(Length))
        {
            yield return this with { Length = length };
        }

        foreach (var letter in IOperation<HashOperation>.SmallerThan(Letter))
        {
            yield return this with { Letter = letter };
        }

        foreach (var delayMs in IOperation<HashOperation>.SmallerThan(DelayMs))
        {
            yield return this with { DelayMs = delayMs };
        }
    }

    private static HashOperationKind KindOf(int choice, bool isSet) => choice switch
    {
        < 2 => HashOperationKind.Delete,
        < 100 => HashOperationKind.Freeze,
        < 160 => HashOperationKind.Pass,
        < 220 => HashOperationKind.Expire,
        < 250 => HashOperationKind.Settle,
        < 270 => HashOperationKind.SetExpiry,
        < 290 => HashOperationKind.Persist,
        < 500 => HashOperationKind.Get,
        _ => isSet ? HashOperationKind.Set : HashOperationKind.Remove,
    };
}
