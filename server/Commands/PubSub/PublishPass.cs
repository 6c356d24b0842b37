using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Messaging;
using Strata.Server.Text;

namespace Strata.Server.Commands.PubSub;

/// <summary>PUBLISH where there are many patterns, or long ones: those that match are looked for in steps, between
/// which others have their turn. It is published when all were found.</summary>
internal sealed class PublishPass : IDisposable
{
    private readonly MessageHub _messages;
    private readonly Audience _audience;

    public PublishPass(CommandContext context)
    {
        _messages = context.Services.Messages;
        _audience = new Audience(_messages, context.Server.WorkerCount);
    }

    /// <summary>Goes on.</summary>
    /// <returns>Whether it was answered.</returns>
    public bool TryStep(CommandContext context)
    {
        var effort = GlobMatch.EffortOf(context.Server.EffortOfStep);

        // To deliver it takes as long: what waits to be delivered does not become more and more.
        if (!MessageHub.TryFind(_audience, context.Argument(1), effort) || _messages.IsDeliveryPaused)
        {
            return false;
        }

        Publishing.Reply(context, _messages.Publish(_audience, context.Argument(1), context.Argument(2)));
        return true;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        // It holds nothing that others want.
    }
}
