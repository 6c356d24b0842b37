using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Storage.Index;

namespace Strata.Server.Commands.Shared;

/// <summary>A reply of many elements of a collection, which is made in steps, in a buffer of its own, and sent when it
/// is whole.</summary>
internal sealed class ReplyPass : KeyPass
{
    private readonly ReplyWriter _reply;
    private readonly ElementReply _elements;

    private ReplyPass(CommandContext context, ElementReply elements)
        : base(context)
    {
        var worker = context.Session.Worker;
        _elements = elements;
        _reply = new ReplyWriter(worker.Errors, worker.Budget, isSeldomUsed: true)
        {
            Protocol = context.Reply.Protocol,
            MayRefuse = worker.Reply.MayRefuse,
        };
    }

    /// <summary>Begins to answer with elements of a key's collection.</summary>
    public static void Begin(CommandContext context, in Key key, ElementReply elements)
    {
        if (IsElsewhere(context))
        {
            return;
        }

        var pass = new ReplyPass(context, elements);
        if (TryBegin(context, pass, key))
        {
            pass.GoOn(context);
        }
    }

    /// <inheritdoc/>
    public override void Dispose()
    {
        base.Dispose();
        _reply.Dispose();
    }

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context)
    {
        for (var effort = EffortOfStep(context); effort > 0;)
        {
            var before = _reply.Length;
            if (!_elements.TryWrite(_reply))
            {
                _elements.WriteHeader(_reply);
                context.Reply.TakeFrom(_reply);
                return true;
            }

            effort -= 1 + ((_reply.Length - before) / ServerLimits.BytesPerEffort);
        }

        return false;
    }
}
