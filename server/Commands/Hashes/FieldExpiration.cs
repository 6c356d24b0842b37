using Strata.Server.Commands.Keys;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Changes;
using Strata.Storage.Collections.Hashes;

namespace Strata.Server.Commands.Hashes;

/// <summary>What HEXPIRE, HPEXPIRE, HEXPIREAT and HPEXPIREAT do: <c>key time [NX | XX | GT | LT] FIELDS numfields field
/// [field ...]</c>.</summary>
internal static class FieldExpiration
{
    private const int TimeIndex = 2;
    private const int RuleIndex = 3;

    // Redis keeps a field's time in 46 bits.
    private const long MaxExpiryMs = ((1L << 48) - 2) >> 2;

    private const int NotMet = 0;
    private const int Updated = 1;
    private const int Deleted = 2;

    /// <summary>Sets the fields' expiry where the rule allows it; a time that has passed deletes them.</summary>
    public static void Execute(CommandContext context, bool inSeconds, bool isAbsolute)
    {
        if (!HashAccess.TryWrite(context, out var hash)
            || !TryTime(context, inSeconds, isAbsolute, out var expiryMs))
        {
            return;
        }

        var rule = default(ExpirationRule);
        var index = rule.TryWord(context, RuleIndex) ? RuleIndex + 1 : RuleIndex;
        if (!FieldList.TryParse(
            context, index, "ERR Parameter `numFields` should be greater than 0"u8, out var fields))
        {
            return;
        }

        var updated = 0;
        var deleted = 0;
        context.Reply.Array(fields.Count);
        for (var i = 0; i < fields.Count; i++)
        {
            var field = context.Argument(fields.First + i);
            var result = Apply(ref hash, field, rule, expiryMs, context.NowMs);
            if (result == Deleted)
            {
                context.Effects?.Tell("HDEL"u8, context.Key.Span, field);
            }

            updated += result == Updated ? 1 : 0;
            deleted += result == Deleted ? 1 : 0;
            context.Reply.Integer(result);
        }

        if (updated > 0)
        {
            hash.Tell(context.Change(KeyEvent.HExpire));
            TellEffect(context, expiryMs);
        }

        if (deleted > 0)
        {
            hash.End(context.Change(KeyEvent.HDel));
        }
    }

    /// <summary>Tells the journal not in how long, but when the fields expire; the rule holds for those it held for.
    /// </summary>
    private static void TellEffect(CommandContext context, long expiryMs)
    {
        if (context.Effects is not { } effects)
        {
            return;
        }

        effects.Begin(context.Count, "HPEXPIREAT"u8);
        effects.Argument(context.Key.Span);
        effects.Argument(expiryMs);
        for (var i = RuleIndex; i < context.Count; i++)
        {
            effects.Argument(context.Argument(i));
        }
    }

    private static int Apply(
        ref HashEditor hash, scoped ReadOnlySpan<byte> field, in ExpirationRule rule, long expiryMs, long nowMs)
    {
        if (!hash.Read().TryGetExpiry(field, out var presentMs))
        {
            return FieldList.MissingField;
        }

        if (!rule.Allows(presentMs, expiryMs))
        {
            return NotMet;
        }

        if (expiryMs <= nowMs)
        {
            _ = hash.Remove(field);
            return Deleted;
        }

        hash.SetExpiry(field, expiryMs);
        return Updated;
    }

    private static bool TryTime(CommandContext context, bool inSeconds, bool isAbsolute, out long expiryMs)
    {
        if (!context.TryInteger(TimeIndex, out expiryMs))
        {
            return false;
        }

        if (expiryMs < 0)
        {
            context.Reply.Error("ERR invalid expire time, must be >= 0"u8);
            return false;
        }

        if (Expiries.TryToUnixMs(expiryMs, inSeconds, isAbsolute, context.NowMs, out expiryMs)
            && expiryMs <= MaxExpiryMs)
        {
            return true;
        }

        context.Reply.Error($"ERR invalid expire time in '{context.Row.FullName}' command");
        return false;
    }
}
