using Strata.Server.Resp;

namespace Strata.Server.Commands.Model;

/// <summary>
/// Where a command's keys are among its arguments: from <paramref name="First"/> to <paramref name="Last"/> (negative
/// counts from the end) in steps of <paramref name="Step"/>.
/// </summary>
/// <param name="First">Index of the first key; 0 when the command has none.</param>
/// <param name="Last">Index of the last key.</param>
/// <param name="Step">Distance between two keys.</param>
/// <param name="Access">What is done with these keys.</param>
public readonly record struct KeySpec(int First, int Last, int Step, KeyAccess Access)
{
    /// <summary>Of keys that follow their number (ZUNION's numkeys): the index of that number; 0 otherwise.</summary>
    public int CountAt { get; init; }

    /// <summary>Of keys behind a word that have as many other arguments behind them (XREAD's STREAMS): where they are;
    /// null otherwise.</summary>
    public HalfKeys? Half { get; init; }

    /// <summary>No keys.</summary>
    public static KeySpec None => default;

    /// <summary>One key, the first argument.</summary>
    public static KeySpec One(KeyAccess access) => new(1, 1, 1, access);

    /// <summary>As many keys as the argument at an index says, behind it. The older way to name positions, which
    /// COMMAND INFO gives too, has none for them.</summary>
    public static KeySpec Counted(int countAt, KeyAccess access) => new(0, 0, 0, access) { CountAt = countAt };

    /// <summary>The first half of the arguments behind a word. The older way to name positions has none for them.
    /// </summary>
    public static KeySpec FirstHalf(HalfKeys half, KeyAccess access) => new(0, 0, 0, access) { Half = half };

    /// <summary>Every argument is a key.</summary>
    public static KeySpec All(KeyAccess access) => new(1, -1, 1, access);

    /// <summary>Whether it names keys.</summary>
    public bool AreKeys => !IsNone && Access != KeyAccess.NotKey;

    /// <summary>The largest number of arguments with which the first argument is the only key: any for GET, two for
    /// DEL, three for MSET, none (0) for BITOP.</summary>
    public int MaxCountOfOne => First != 1 ? 0 : Last == 1 ? int.MaxValue : Last < 0 ? Step - Last : 0;

    /// <summary>Whether there are no keys.</summary>
    public bool IsNone => First == 0 && CountAt == 0 && Half == null;

    /// <summary>Index of the last key when there are <paramref name="count"/> arguments.</summary>
    public int LastOf(int count) => Last >= 0 ? Math.Min(Last, count - 1) : count + Last;

    /// <summary>Index of a request's first key and of its last, which is lower where there are none: a number of keys
    /// that is none, or more than there are arguments, is the handler's to refuse.</summary>
    public (int First, int Last) RangeOf(in Request request)
    {
        if (Half != null)
        {
            return Half.RangeOf(request);
        }

        if (CountAt == 0)
        {
            return First > 0 ? (First, LastOf(request.Count)) : (1, 0);
        }

        return CountAt < request.Count && NumberParser.TryParseInt64(request[CountAt], out var count)
            && count >= 1 && count < request.Count - CountAt
            ? (CountAt + 1, CountAt + (int)count)
            : (1, 0);
    }
}
