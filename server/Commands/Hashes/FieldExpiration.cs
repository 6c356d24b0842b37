using Strata.Server.Commands.Keys;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Collections.Hashes;

namespace Strata.Server.Commands.Hashes;

/// <summary>What HEXPIRE, HPEXPIRE, HEXPIREAT and HPEXPIREAT do: <c>key time [NX | XX | GT | LT] FIELDS numfields field
/// [field ...]</c>, and HPERSIST.</summary>
internal static class FieldExpiration
{
    private const int TimeIndex = 2;
    private const int RuleIndex = 3;

    // Redis keeps a field's time in 46 bits.
    private const long MaxExpiryMs = ((1L << 48) - 2) >> 2;

    /// <summary>Sets the fields' expiry where the rule allows it; a time that has passed deletes them.</summary>
    public static void Execute(CommandContext context, bool inSeconds, bool isAbsolute)
    {
        if (KeyPass.TryGoOn(context) || !HashAccess.TryWrite(context, out var hash)
            || !TryTime(context, inSeconds, isAbsolute, out var expiryMs))
        {
            return;
        }

        var rule = default(ExpirationRule);
        var index = rule.TryWord(context, RuleIndex) ? RuleIndex + 1 : RuleIndex;
        if (FieldList.TryParse(
            context, index, "ERR Parameter `numFields` should be greater than 0"u8, out var fields))
        {
            Change(context, hash, new FieldTimeChange(expiryMs, context.NowMs, rule), fields);
        }
    }

    /// <summary>Lets the fields expire no more.</summary>
    public static void Persist(CommandContext context)
    {
        if (!KeyPass.TryGoOn(context) && HashAccess.TryWrite(context, out var hash)
            && FieldList.TryParse(context, out var fields))
        {
            Change(context, hash, new FieldTimeChange(ExpiryMs: -1, context.NowMs, default), fields);
        }
    }

    /// <summary>Tells the journal not in how long, but when the fields expire; the rule holds for those it held for.
    /// What they have none by any more it is told as the command was sent.</summary>
    public static void TellEffect(CommandContext context, long expiryMs, FieldList fields)
    {
        if (expiryMs < 0 || context.Effects is not { } effects)
        {
            return;
        }

        effects.Begin(fields.First + fields.Count, "HPEXPIREAT"u8);
        effects.Argument(context.Key.Span);
        effects.Argument(expiryMs);
        for (var i = RuleIndex; i < fields.First + fields.Count; i++)
        {
            effects.Argument(context.Argument(i));
        }
    }

    private static void Change(
        CommandContext context, HashEditor hash, in FieldTimeChange change, FieldList fields)
    {
        if (FieldTimePass.Begins(context, change, fields))
        {
            return;
        }

        var (updated, deleted) = (0, 0);
        context.Reply.Array(fields.Count);
        for (var i = 0; i < fields.Count; i++)
        {
            var field = context.Argument(fields.First + i);
            var result = Apply(ref hash, field, change);
            if (result == FieldTimeChange.Deleted)
            {
                context.Effects?.Tell("HDEL"u8, context.Key.Span, field);
            }

            updated += result == FieldTimeChange.Updated ? 1 : 0;
            deleted += result == FieldTimeChange.Deleted ? 1 : 0;
            context.Reply.Integer(result);
        }

        if (updated + deleted > 0)
        {
            hash.End(context.Change(change.What));
        }

        if (updated > 0)
        {
            TellEffect(context, change.ExpiryMs, fields);
        }
    }

    private static int Apply(ref HashEditor hash, scoped ReadOnlySpan<byte> field, in FieldTimeChange change)
    {
        if (!hash.Read().TryGetExpiry(field, out var presentMs))
        {
            return FieldList.MissingField;
        }

        var result = change.ResultFor(presentMs);
        if (result == FieldTimeChange.Deleted)
        {
            _ = hash.Remove(field);
        }
        else if (result == FieldTimeChange.Updated)
        {
            hash.SetExpiry(field, change.ExpiryMs);
        }

        return result;
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
