using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Storage.Collections;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Keys;

/// <summary>DUMP key</summary>
internal static class Dump
{
    public static readonly CommandRow Row = new("dump", 2,
        CommandFlags.ReadOnly | CommandFlags.Heavy | CommandFlags.InSteps,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "2.6.0",
        Summary = "Gives a key's value as a payload for RESTORE, in Redis's format.",
        Complexity = "O(N) where N is the size of the value",
        Tips = ["nondeterministic_output"],
        Syntax = "key",
    };

    private static void Execute(CommandContext context)
    {
        var session = context.Session;
        if (session.Unfinished is DumpPass under && under.IsOf(context.Key))
        {
            if (under.IsAnswerTo(session))
            {
                Answer(context, under);
            }
            else if (context.TryPeek(context.Key, out var same))
            {
                GoOn(context, under, same);
            }
            else
            {
                Miss(context);
            }

            return;
        }

        session.EndUnfinished();
        if (!context.TryRead(context.Key, out var record))
        {
            Miss(context);
        }
        else if (context.IsInTransaction || ShardCollections.WeightOf(record) <= ServerLimits.MaxDumpedAtOnceBytes)
        {
            DumpWhole(context, record);
        }
        else
        {
            var pass = new DumpPass(context);
            session.Unfinished = pass;
            GoOn(context, pass, record);
        }
    }

    private static void GoOn(CommandContext context, DumpPass pass, in Record record)
    {
        if (pass.Step(context, record))
        {
            Answer(context, pass);
        }
        else
        {
            context.Postponed = Postponement.GoesOn;
        }
    }

    private static void Answer(CommandContext context, DumpPass pass)
    {
        if (pass.TryAnswer(context))
        {
            context.Session.EndUnfinished();
        }
        else
        {
            context.Postponed = Postponement.GoesOn;
        }
    }

    /// <summary>There is no key, or no more; or it has yet to be read.</summary>
    private static void Miss(CommandContext context)
    {
        context.Reply.Null();
        if (context.HasSeenAll)
        {
            context.Session.EndUnfinished();
        }
    }

    private static void DumpWhole(CommandContext context, in Record record)
    {
        var dumps = context.Session.Worker.Dumps;
        DumpPass.AskForRoom(context.Session.Worker.Budget, ShardCollections.WeightOf(record));
        try
        {
            context.Reply.Bulk(dumps.Write(record, compresses: true));
        }
        finally
        {
            dumps.Free();
        }
    }
}
