using Strata.Server.Clients;
using Strata.Server.Clients.Access;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Access;

/// <summary>A command about users that takes long, or waits for the disk: others are served meanwhile. In a transaction
/// it is done at once.</summary>
internal static class UserCommand
{
    /// <summary>Has it done, and answers.</summary>
    /// <param name="context">The command.</param>
    /// <param name="room">The memory that it takes, which was asked for; given back at its end.</param>
    /// <param name="changes">Whether users are others afterwards, if it succeeds: then all connections follow before it
    /// is answered.</param>
    /// <param name="work">Does it, on any thread; returns an error, or null.</param>
    public static void Do(CommandContext context, UserRoom room, bool changes, Func<byte[]?> work)
    {
        var session = context.Session;
        if (context.IsInTransaction)
        {
            using (room)
            {
                DoAtOnce(context, changes, work);
            }

            return;
        }

        session.AwaitAnswer();
        var log = context.Server.Log;
        var name = context.Row.FullName;
        context.Services.UserWorks.Begin(() =>
        {
            byte[]? error;
            try
            {
                error = work();
            }
            catch (Exception exception)
            {
                // No memory, or a programmer's error; the client must not wait for ever because of it.
                log.CommandFailed(name, exception);
                error = Errors.Internal.ToArray();
            }

            room.Dispose();
            session.Worker.Post(() => Answer(session, changes, error));
        });
    }

    /// <summary>Does it here and now.</summary>
    public static void DoAtOnce(CommandContext context, bool changes, Func<byte[]?> work)
    {
        if (work() is { } error)
        {
            context.Reply.Error(error);
        }
        else if (changes)
        {
            UserChange.Spread(context.Session, static reply => reply.Ok());
        }
        else
        {
            context.Reply.Ok();
        }
    }

    private static void Answer(Session session, bool changes, byte[]? error)
    {
        if (error != null)
        {
            session.AskWorkers(static _ => 0, (reply, _) => reply.Error(error));
        }
        else if (changes)
        {
            UserChange.Spread(session, static reply => reply.Ok());
        }
        else
        {
            session.AskWorkers(static _ => 0, static (reply, _) => reply.Ok());
        }
    }
}
