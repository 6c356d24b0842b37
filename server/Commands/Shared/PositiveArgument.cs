using Strata.Server.Commands.Model;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Shared;

/// <summary>A number greater than 0 as an argument.</summary>
internal static class PositiveArgument
{
    /// <summary>Reads the number; answers an error when it is none, or another.</summary>
    /// <param name="context">The command.</param>
    /// <param name="index">Index of the argument.</param>
    /// <param name="error">The error.</param>
    /// <param name="value">The number.</param>
    /// <param name="most">The largest that is right.</param>
    public static bool TryRead(
        CommandContext context, int index, ReadOnlySpan<byte> error, out long value, long most = long.MaxValue)
    {
        if (NumberParser.TryParseInt64(context.Argument(index), out value) && value >= 1 && value <= most)
        {
            return true;
        }

        context.Reply.Error(error);
        return false;
    }

    /// <summary>Reads how many items of a report are asked for.</summary>
    /// <inheritdoc cref="TryRead"/>
    public static bool TryReadCount(CommandContext context, int index, out int value)
    {
        var isRight = TryRead(context, index, "ERR COUNT should be greater than 0"u8, out var count, int.MaxValue);
        value = isRight ? (int)count : 0;
        return isRight;
    }
}
