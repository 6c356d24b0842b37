using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Storage.Changes;
using Strata.Storage.Collections.Streams;
using Strata.Storage.Index;

namespace Strata.Server.Commands.Streams;

/// <summary>Work on a group that is done in one go, and the end of any.</summary>
internal static class GroupWork
{
    /// <summary>Does all of it.</summary>
    public static void Do<TWork>(
        CommandContext context,
        scoped in Key key,
        scoped ref StreamEditor stream,
        StreamGroup group,
        scoped ref TWork work,
        ReplyWriter reply)
        where TWork : struct, IGroupWork
    {
        var stage = new GroupStage
        {
            Context = context,
            Key = key,
            Stream = stream.Read(),
            Source = group,
            Group = stream.Edit(group),
            Reply = reply,
            Effects = context.Effects,
            NowMs = context.ClockMs,
            Effort = long.MaxValue,
        };
        _ = work.TryGoOn(ref stage);
        End(ref stage, ref stream, ref work);
    }

    /// <summary>Ends it, and tells of it.</summary>
    public static void End<TWork>(
        scoped ref GroupStage stage, scoped ref StreamEditor stream, scoped ref TWork work)
        where TWork : struct, IGroupWork
    {
        work.End(ref stage);
        if (work.HasNewConsumer)
        {
            stream.Tell(stage.Context.Change(KeyEvent.XGroupCreateConsumer));
        }

        if (work.What is { } what)
        {
            stream.End(what == KeyEvent.Seen ? new Change(what, author: null) : stage.Context.Change(what));
        }
    }
}
