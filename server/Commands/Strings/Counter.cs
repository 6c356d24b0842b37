using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Strings;

/// <summary>Strings that are integers: what INCR, DECR, INCRBY and DECRBY share.</summary>
internal static class Counter
{
    private const int LongestInteger = 20;

    /// <summary>Adds to the command's key and answers the sum; a missing key counts as 0. The expiry stays.</summary>
    public static void Add(CommandContext context, long increment)
    {
        var value = 0L;
        var lookup = context.WriteString(context.Key, out var record);
        if (lookup == Lookup.WrongType)
        {
            context.Reply.Error(Errors.WrongType);
            return;
        }

        if (lookup == Lookup.Found && !NumberParser.TryParseInt64(record.Value, out value))
        {
            context.Reply.Error(Errors.NotInteger);
            return;
        }

        if (!TrySum(context, value, increment, out var sum))
        {
            return;
        }

        Span<byte> text = stackalloc byte[LongestInteger];
        var length = NumberParser.Format(sum, text);
        var expiryMs = record.IsNull ? -1 : record.ExpiryMs;
        _ = context.PutString(context.Key, record, text[..length], expiryMs, KeyEvent.IncrBy);
        context.Reply.Integer(sum);
    }

    /// <summary>Adds two numbers; answers the error when the sum has more than 64 bits.</summary>
    public static bool TrySum(CommandContext context, long value, long increment, out long sum)
    {
        sum = unchecked(value + increment);
        if (((value ^ sum) & (increment ^ sum)) >= 0)
        {
            return true;
        }

        context.Reply.Error("ERR increment or decrement would overflow"u8);
        return false;
    }
}
