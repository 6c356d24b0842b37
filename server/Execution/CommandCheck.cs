using System.Text;
using Strata.Server.Clients;
using Strata.Server.Clients.Access;
using Strata.Server.Commands.Connection;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Persistence;
using Strata.Server.Resp;
using Strata.Server.Text;
using Strata.Storage;

namespace Strata.Server.Execution;

/// <summary>What every command must pass before it is executed, in Redis's order: known, arity, who may use
/// it, authentication, what its user is allowed, that monitors leave the keys alone, and that subscribers do nothing
/// but subscribe.</summary>
internal static class CommandCheck
{
    private const int PreviewBytes = 128;

    /// <summary>Replaces a container by the subcommand's row, and answers an error when the command cannot be executed.
    /// </summary>
    public static bool TryResolve(ExecutionWorker worker, Session session, ref CommandRow? row, in Request request)
    {
        var reply = worker.Reply;
        session.LastCommand = row;
        if (row == null)
        {
            RefuseUnknown(worker, session, request);
            return false;
        }

        if (row.Subcommands != null && request.Count > 1)
        {
            row = row.Subcommands.Find(request[1]);
            session.LastCommand = row;
            if (row == null)
            {
                var word = EchoedArgument.Of(request[1], PreviewBytes);
                var verb = EchoedArgument.InUpperCase(request[0]);
                reply.Error($"ERR unknown subcommand '{word}'. Try {verb} HELP.");
                return false;
            }
        }

        if (!row.AcceptsCount(request.Count) || !row.IsExecutable)
        {
            reply.Error($"ERR wrong number of arguments for '{row.FullName}' command");
            worker.Statistics.CountRejected(row);
            return false;
        }

        if (!MayUse(worker, session, row) || !IsAllowed(worker, session, row, request)
            || (worker.Services.Scripts.IsAnySlow && !TryResolveWhileBusy(worker, ref row))
            || IsRefusedForData(worker, session, row, request))
        {
            return false;
        }

        if (session.IsMonitor && row.Has(CommandFlags.Write | CommandFlags.ReadOnly | CommandFlags.MayReplicate))
        {
            reply.Error("ERR Replica can't interact with the keyspace"u8);
            worker.Statistics.CountRejected(row);
            return false;
        }

        if (session.IsSubscriber && session.Protocol == 2 && !row.IsForSubscribers)
        {
            reply.Error($"ERR Can't execute '{row.FullName}': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / "
                + "RESET are allowed in this context");
            worker.Statistics.CountRejected(row);
            return false;
        }

        return true;
    }

    /// <summary>Answers an error where the data is being loaded, or may not be changed because it cannot be saved.
    /// </summary>
    private static bool IsRefusedForData(
        ExecutionWorker worker, Session session, CommandRow row, in Request request)
    {
        if (session.IsLoader)
        {
            return IsRefusedForJournal(worker, row);
        }

        if (worker.Services.Loading.IsLoading && !row.Has(CommandFlags.Loading))
        {
            worker.Reply.Error(Errors.Loading);
            worker.Statistics.CountRejected(row);
            return true;
        }

        var gate = worker.Services.Snapshots.Gate;
        if (gate is WriteGate.Refused or WriteGate.Ended
            && (row.Is(Ping.Row) || (session.Transaction.FlagsOf(row, request) & CommandFlags.Write) != 0))
        {
            worker.Reply.Error(SnapshotErrors.Of(gate));
            worker.Statistics.CountRejected(row);
            return true;
        }

        return false;
    }

    /// <summary>Answers an error where the journal has a command that no data comes of, but that would end the client
    /// which repeats it, silence it, or have the server do something: no server writes such a thing there.</summary>
    private static bool IsRefusedForJournal(ExecutionWorker worker, CommandRow row)
    {
        var stands = row.Has(CommandFlags.Write | CommandFlags.ReadOnly | CommandFlags.MayReplicate)
            || row.Group is CommandGroup.Transactions or CommandGroup.Scripting
            || row.Is(Select.Row) || row.Is(Ping.Row) || row.Is(Echo.Row);
        if (!stands)
        {
            worker.Reply.Error($"ERR '{row.FullName}' changes no data and is not executed from an AOF");
        }

        return !stands;
    }

    /// <summary>What a command does while a script is slow: mostly nothing.</summary>
    private static bool TryResolveWhileBusy(ExecutionWorker worker, ref CommandRow row)
    {
        if (!row.Has(CommandFlags.AllowBusy))
        {
            var isFunction = worker.Services.Scripts.Slow is { IsFunction: true };
            worker.Reply.Error(isFunction ? Errors.BusyWithFunction : Errors.Busy);
            worker.Statistics.CountRejected(row);
            return false;
        }

        row = row.WhileBusy ?? row;
        Invariant.Check(!row.NeedsLeases, "what is executed while a script is slow leaves the shards alone");
        return true;
    }

    /// <summary>Whether a client may use a command at all; answers an error if not.</summary>
    private static bool MayUse(ExecutionWorker worker, Session session, CommandRow row)
    {
        if (row.Guard is { } guard && !session.Address.MayUse(guard(worker.Options)))
        {
            var name = (row.Container ?? row).Name;
            worker.Reply.Error($"ERR {name.ToUpperInvariant()} command not allowed. If the enable-{name}-command "
                + "option is set to \"local\", you can run it from a local connection, otherwise you need to set this "
                + "option in the configuration file, and then restart the server.");
            worker.Statistics.CountRejected(row);
            return false;
        }

        if (!session.IsAuthenticated && !row.Has(CommandFlags.NoAuth) && worker.Services.Users.AsksForPassword)
        {
            worker.Reply.Error(Errors.AuthenticationRequired);
            worker.Statistics.CountRejected(row);
            return false;
        }

        return true;
    }

    /// <summary>Whether a client may use a command here, and with these arguments; answers an error if not.</summary>
    public static bool IsAllowed(ExecutionWorker worker, Session session, CommandRow row, in Request request)
    {
        if (session.Transaction.IsOpen && row.Has(CommandFlags.NoMulti))
        {
            worker.Reply.Error("ERR Command not allowed inside a transaction"u8);
            worker.Statistics.CountRejected(row);
            return false;
        }

        if (session.Restriction == null || request.ArgumentBytes <= ServerLimits.TimedAloneBytes)
        {
            return IsAllowedToUser(worker, session, row, request);
        }

        // Names this long may take long to match with the user's patterns.
        var clock = worker.Server.Platform.Clock;
        var started = clock.GetTimestamp();
        var isAllowed = IsAllowedToUser(worker, session, row, request);
        worker.Account.Spend(clock.GetTimestamp() - started);
        return isAllowed;
    }

    private static bool IsAllowedToUser(ExecutionWorker worker, Session session, CommandRow row, in Request request)
    {
        var context = session.Transaction.IsOpen ? AccessContext.Transaction : AccessContext.TopLevel;
        if (AccessCheck.TryPass(session, row, request, context, out var user, out var denial))
        {
            return true;
        }

        worker.Reply.Error($"NOPERM {denial.TextFor(user, row)}");
        worker.Statistics.CountRejected(row);
        return false;
    }

    /// <summary>Answers the error; a web browser's request, which a hostile page may have sent, ends the connection
    /// before the rest of it is taken for commands.</summary>
    private static void RefuseUnknown(ExecutionWorker worker, Session session, in Request request)
    {
        if (NumberParser.IsWord(request[0], "host:"u8) || NumberParser.IsWord(request[0], "post"u8))
        {
            worker.Server.Log.HttpRequest(session.Id, session.Connection.Address.ToString());
            session.ClosesAfterReply = true;
            return;
        }

        worker.Reply.Error(UnknownCommand(request));
    }

    private static string UnknownCommand(in Request request)
    {
        var text = new StringBuilder("ERR unknown command '");
        text.Append(EchoedArgument.Of(request[0], PreviewBytes));
        text.Append("', with args beginning with: ");
        var left = PreviewBytes;
        for (var i = 1; i < request.Count && left > 0; i++)
        {
            var shown = EchoedArgument.Of(request[i], left);
            text.Append('\'').Append(shown).Append("' ");
            left -= shown.Length + 3;
        }

        return text.ToString();
    }
}
