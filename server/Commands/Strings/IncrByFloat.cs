using Strata.Server.Commands.Model;
using Strata.Storage.Changes;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Strings;

/// <summary>INCRBYFLOAT key increment</summary>
internal static class IncrByFloat
{
    public static readonly CommandRow Row = new("incrbyfloat", 3,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.String,
        Categories = AclCategories.String,
        Since = "2.6.0",
        Summary = "Adds a decimal number to a string that is one; a missing key counts as 0.",
        Complexity = "O(1)",
        Syntax = "key increment",
    };

    private static void Execute(CommandContext context)
    {
        var value = ExtendedFloat.Zero(isNegative: false);
        var lookup = context.WriteString(context.Key, out var record);
        if (lookup == Lookup.WrongType)
        {
            context.Reply.Error(Errors.WrongType);
            return;
        }

        if ((lookup == Lookup.Found && !ExtendedFloatParser.TryParse(record.Value, out value))
            || !ExtendedFloatParser.TryParse(context.Argument(2), out var increment))
        {
            context.Reply.Error(Errors.NotFloat);
            return;
        }

        var isFinite = !value.IsInfinite && !increment.IsInfinite;
        var sum = isFinite ? ExtendedFloat.Add(value, increment) : value;
        if (!isFinite || sum.IsInfinite)
        {
            context.Reply.Error("ERR increment would produce NaN or Infinity"u8);
            return;
        }

        Span<byte> buffer = stackalloc byte[ExtendedFloat.MaxTextBytes];
        var text = buffer[..sum.Format(buffer)];
        var expiryMs = record.IsNull ? -1 : record.ExpiryMs;
        var spec = new RecordSpec(context.Key, RecordType.String, expiryMs, RecordFlags.Decimal);
        _ = context.Shard.Put(context.Key, record, spec, text, context.Change(KeyEvent.IncrByFloat));
        context.Effects?.Tell("SET"u8, context.Key.Span, text, "KEEPTTL"u8);
        context.Reply.Bulk(text);
    }
}
