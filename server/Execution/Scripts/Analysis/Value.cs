namespace Strata.Server.Execution.Scripts.Analysis;

/// <summary>What a register holds, as far as it is known.</summary>
/// <param name="Kind">Its kind.</param>
/// <param name="Constant">Of a constant, its number; else 0.</param>
internal readonly record struct Value(ValueKind Kind, ushort Constant = 0)
{
    /// <summary>Anything but what leads to keys.</summary>
    public static Value Other => new(ValueKind.Other);

    /// <summary>Whether it must not get where it cannot be followed.</summary>
    public bool MustBeFollowed => Kind >= ValueKind.Keys;

    /// <summary>What is known where two ways meet.</summary>
    /// <returns>False when it is not enough to go on.</returns>
    public static bool TryJoin(Value left, Value right, out Value joined)
    {
        joined = left.Kind == ValueKind.None || left == right ? right
            : right.Kind == ValueKind.None ? left
            : Other;
        return joined.Kind != ValueKind.Other || !(left.MustBeFollowed || right.MustBeFollowed);
    }
}
