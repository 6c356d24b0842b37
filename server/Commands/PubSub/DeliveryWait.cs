using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.PubSub;

/// <summary>A client that waits until what was published before is delivered to its worker's clients, which goes on in
/// steps where there are many patterns.</summary>
internal sealed class DeliveryWait : IDisposable
{
    private readonly long _until;

    private DeliveryWait(long until)
    {
        _until = until;
    }

    /// <summary>Whether the client of a command waits.</summary>
    public static bool IsUnderWay(CommandContext context) => context.Session.Unfinished is DeliveryWait;

    /// <summary>Delivers what was published before a command, or goes on to; in a transaction to the end.</summary>
    /// <returns>False when others should have their turn before the rest of it.</returns>
    public static bool TrySettle(CommandContext context)
    {
        var session = context.Session;
        var messages = session.Worker.Messages;
        if (context.IsInTransaction || messages.Executing != null)
        {
            messages.Settle(context);
            return true;
        }

        var until = session.Unfinished is DeliveryWait wait ? wait._until : messages.Mailbox.Added;
        if (messages.TrySettle(context, until))
        {
            session.EndUnfinished();
            return true;
        }

        session.EndUnfinished();
        session.Unfinished = new DeliveryWait(until);
        return false;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        // It holds nothing.
    }
}
