namespace Strata.Server.Commands.Model;

/// <summary>Effects in one call.</summary>
internal static class CommandEffects
{
    /// <summary>An effect on a key alone.</summary>
    public static void Tell(this ICommandEffects effects, ReadOnlySpan<byte> verb, ReadOnlySpan<byte> key)
    {
        effects.Begin(2, verb);
        effects.Argument(key);
    }

    /// <summary>An effect on a key with one more argument.</summary>
    public static void Tell(
        this ICommandEffects effects, ReadOnlySpan<byte> verb, ReadOnlySpan<byte> key, ReadOnlySpan<byte> argument)
    {
        effects.Begin(3, verb);
        effects.Argument(key);
        effects.Argument(argument);
    }

    /// <summary>An effect on a key with a number.</summary>
    public static void Tell(
        this ICommandEffects effects, ReadOnlySpan<byte> verb, ReadOnlySpan<byte> key, long number)
    {
        effects.Begin(3, verb);
        effects.Argument(key);
        effects.Argument(number);
    }

    /// <summary>An effect on a key with two more arguments.</summary>
    public static void Tell(
        this ICommandEffects effects,
        ReadOnlySpan<byte> verb,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> second,
        ReadOnlySpan<byte> third)
    {
        effects.Begin(4, verb);
        effects.Argument(key);
        effects.Argument(second);
        effects.Argument(third);
    }
}
