using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Persistence;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Server;

/// <summary>DEBUG RELOAD [MERGE] [NOFLUSH] [NOSAVE]: saves the data, deletes it, and loads what was saved. Others get
/// -LOADING meanwhile, and what changes data waits from the moment at which it is saved.</summary>
internal static class DebugReload
{
    private const int FirstOption = 2;

    public static void Execute(CommandContext context)
    {
        var (merges, empties, saves) = (false, true, true);
        for (var i = FirstOption; i < context.Count; i++)
        {
            var isMerge = context.IsWord(i, "merge"u8);
            var isNoFlush = context.IsWord(i, "noflush"u8);
            if (!isMerge && !isNoFlush && !context.IsWord(i, "nosave"u8))
            {
                context.Reply.Error("ERR DEBUG RELOAD only supports the MERGE, NOFLUSH and NOSAVE options."u8);
                return;
            }

            merges |= isMerge;
            empties &= !isNoFlush;
            saves &= isMerge || isNoFlush;
        }

        if (context.IsInTransaction)
        {
            context.Reply.Error("ERR DEBUG RELOAD takes longer than a transaction may: send it by itself"u8);
        }
        else if (context.Server.Shards.Tier != null && !empties)
        {
            context.Reply.Error("ERR with storage-tier yes DEBUG RELOAD has no NOFLUSH: it would take a read of the "
                + "disk for each key to know whether it is there");
        }
        else if (!context.Services.Reloads.TryBegin())
        {
            context.Reply.Error("ERR DEBUG RELOAD is under way already"u8);
        }
        else
        {
            Begin(context, merges, empties, saves);
        }
    }

    private static void Begin(CommandContext context, bool merges, bool empties, bool saves)
    {
        var session = context.Session;
        session.AwaitAnswer();
        var request = new ReloadRequest(empties, merges, isLoaded => Answer(reply =>
        {
            if (isLoaded)
            {
                reply.Ok();
            }
            else
            {
                reply.Error("ERR Error trying to load the RDB dump, check server logs."u8);
            }
        }));
        if (saves)
        {
            context.Services.Reloads.SaveAndWant(request, () => Answer(static reply => reply.Error("ERR"u8)));
        }
        else
        {
            context.Services.Reloads.Want(request);
        }

        void Answer(Action<ReplyWriter> write) => session.Worker.Post(() => session.Answer(write));
    }
}
