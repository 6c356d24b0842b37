using Strata.Server.Commands.Model;
using Strata.Server.Commands.Strings;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Hashes;

/// <summary>HINCRBYFLOAT key field increment</summary>
internal static class HIncrByFloat
{
    public static readonly CommandRow Row = new("hincrbyfloat", 4,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.Hash,
        Categories = AclCategories.Hash,
        Since = "2.6.0",
        Summary = "Adds to a field that is a decimal number; a missing one counts as 0.",
        Complexity = "O(1)",
        Syntax = "key field increment",
    };

    private static void Execute(CommandContext context)
    {
        if (!ExtendedFloatParser.TryParse(context.Argument(3), out var increment))
        {
            context.Reply.Error(Errors.NotFloat);
            return;
        }

        if (increment.IsInfinite)
        {
            context.Reply.Error("ERR value is NaN or Infinity"u8);
            return;
        }

        if (!HashAccess.TryWrite(context, out var hash))
        {
            return;
        }

        var field = context.Argument(2);
        var value = ExtendedFloat.Zero(isNegative: false);
        if (hash.Read().TryGet(field, out var present) && !ExtendedFloatParser.TryParse(present, out value))
        {
            context.Reply.Error("ERR hash value is not a float"u8);
            return;
        }

        var sum = value.IsInfinite ? value : ExtendedFloat.Add(value, increment);
        if (sum.IsInfinite)
        {
            context.Reply.Error("ERR increment would produce NaN or Infinity"u8);
            return;
        }

        Span<byte> text = stackalloc byte[ExtendedFloat.MaxTextBytes];
        text = text[..sum.Format(text)];
        _ = hash.Set(field, text, HashAccess.LimitsOf(context), keepsExpiry: true);
        TellEffect(context, hash.Read().TryGetExpiry(field, out var expiryMs) ? expiryMs : -1, text);
        hash.End(context.Change(KeyEvent.HIncrByFloat));
        context.Reply.Bulk(text);
    }

    /// <summary>Tells the journal the sum: elsewhere another might come of it. The field's expiry stays.</summary>
    private static void TellEffect(CommandContext context, long expiryMs, ReadOnlySpan<byte> sum)
    {
        if (context.Effects is not { } effects)
        {
            return;
        }

        effects.Tell("HSET"u8, context.Key.Span, context.Argument(2), sum);
        if (expiryMs >= 0)
        {
            effects.Begin(6, "HPEXPIREAT"u8);
            effects.Argument(context.Key.Span);
            effects.Argument(expiryMs);
            effects.Argument("FIELDS"u8);
            effects.Argument(1);
            effects.Argument(context.Argument(2));
        }
    }
}
