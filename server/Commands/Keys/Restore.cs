using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Storage.Changes;
using Strata.Storage.Log;
using Strata.Storage.Records;

namespace Strata.Server.Commands.Keys;

/// <summary>RESTORE key ttl serialized-value [REPLACE] [ABSTTL] [IDLETIME seconds] [FREQ frequency]</summary>
internal static class Restore
{
    public static readonly CommandRow Row = new("restore", -4,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Heavy | CommandFlags.InSteps,
        KeySpec.One(KeyAccess.Overwrite | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace | AclCategories.Dangerous,
        Since = "2.6.0",
        Summary = "Makes a key of a payload that DUMP gave, of this server or of Redis up to 7.4.",
        Differs = "A value of a module is refused as bad data.",
        Complexity = "O(N) where N is the size of the value",
        Syntax = "key ttl serialized-value [REPLACE] [ABSTTL] [IDLETIME seconds] [FREQ frequency]",
    };

    private static void Execute(CommandContext context)
    {
        var session = context.Session;
        if (!RestoreOptions.TryRead(context, out var options))
        {
            Abandon(context);
            return;
        }

        var exists = context.TryWrite(context.Key, out var existing);
        if (exists && !options.Replaces)
        {
            Abandon(context);
            context.Reply.Error("BUSYKEY Target key name already exists."u8);
            return;
        }

        if (!RestoreOptions.TryReadTime(context, options, out var expiryMs))
        {
            Abandon(context);
            return;
        }

        var pass = PassOf(context);
        var problem = pass.Step(context, mayStop: !context.IsInTransaction, out var isWhole);
        if (problem.IsEmpty && !isWhole)
        {
            context.Postponed = Postponement.GoesOn;
            return;
        }

        if (problem.IsEmpty)
        {
            Put(context, pass, existing, options, expiryMs);
        }
        else
        {
            context.Reply.Error(problem);
        }

        Abandon(context);
    }

    private static RestorePass PassOf(CommandContext context)
    {
        var session = context.Session;
        if (session.Unfinished is RestorePass pass && pass.IsFor(context.Shard))
        {
            return pass;
        }

        session.EndUnfinished();
        pass = new RestorePass(context, session.Worker);
        session.Unfinished = pass;
        return pass;
    }

    /// <summary>Makes the value the key's, unless its time has come already.</summary>
    private static void Put(
        CommandContext context, RestorePass pass, in Record existing, in RestoreOptions options, long expiryMs)
    {
        var shard = context.Shard;
        if (expiryMs >= 0 && expiryMs <= context.NowMs)
        {
            if (!existing.IsNull)
            {
                shard.Remove(context.Key, existing, context.Change(KeyEvent.Del));
                context.Effects?.Tell("DEL"u8, context.Key.Span);
            }
        }
        else
        {
            var record = pass.Put(context, existing, expiryMs);
            RecordUsage.Set(
                shard, context.Key, record, options.IdleSeconds, options.Frequency, context.NowMs);
            if (expiryMs >= 0 && !options.IsAbsolute)
            {
                TellEffect(context, expiryMs);
            }
        }

        context.Reply.Ok();
    }

    /// <summary>Tells the journal of a value that expires: not in how long, but when.</summary>
    private static void TellEffect(CommandContext context, long expiryMs)
    {
        if (context.Effects is { } effects)
        {
            effects.Begin(6, "RESTORE"u8);
            effects.Argument(context.Key.Span);
            effects.Argument(expiryMs);
            effects.Argument(context.Argument(3));
            effects.Argument("REPLACE"u8);
            effects.Argument("ABSTTL"u8);
        }
    }

    /// <summary>Gives up what there is of a value, while the lease is held.</summary>
    private static void Abandon(CommandContext context)
    {
        (context.Session.Unfinished as RestorePass)?.Abandon();
        context.Session.EndUnfinished();
    }
}
