using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Shared;

/// <summary>
/// A reply of one list that is not of one moment: what is long is made in steps, between which others have their turn,
/// in a buffer of its own, and sent when it is whole. Between EXEC's commands and in scripts there are no steps.
/// </summary>
internal abstract class ReportPass : IDisposable
{
    // For the header, which is known only after the elements.
    private const int HeadroomBytes = 64;

    private ReplyWriter? _reply;

    /// <summary>Begins to answer, or goes on to.</summary>
    /// <param name="context">The command.</param>
    /// <param name="begin">Makes what answers, when the command begins.</param>
    public static void Answer(CommandContext context, Func<CommandContext, ReportPass> begin)
    {
        if (!TryGoOn(context))
        {
            Begin(context, begin(context));
        }
    }

    /// <summary>Goes on to answer.</summary>
    /// <returns>False when the command is to begin.</returns>
    public static bool TryGoOn(CommandContext context)
    {
        if (context.IsInTransaction || context.Session.Unfinished is not ReportPass pass)
        {
            return false;
        }

        pass.GoOn(context);
        return true;
    }

    /// <summary>Begins to answer.</summary>
    /// <param name="context">The command.</param>
    /// <param name="pass">What answers.</param>
    public static void Begin(CommandContext context, ReportPass pass)
    {
        var (session, start) = (context.Session, context.Reply.Length);
        if (pass.IsWholeAtOnce(context))
        {
            using (pass)
            {
                var middle = context.Reply.Length;
                pass.WriteHeader(context.Reply);
                context.Reply.MoveForward(start, middle);
            }

            return;
        }

        session.EndUnfinished();
        session.Unfinished = pass;
        pass.Keep(context, start);
    }

    /// <inheritdoc/>
    public virtual void Dispose()
    {
        _reply?.Dispose();
        _reply = null;
    }

    /// <summary>Goes on to write elements to the reply of the context.</summary>
    /// <param name="context">The command.</param>
    /// <param name="effort">How much may be done: elements, of which each 128 bytes count for another.</param>
    /// <returns>Whether all were written.</returns>
    private protected abstract bool TryStep(CommandContext context, long effort);

    /// <summary>Writes what stands before the elements.</summary>
    private protected abstract void WriteHeader(ReplyWriter reply);

    private bool IsWholeAtOnce(CommandContext context)
    {
        try
        {
            return TryStep(context, context.IsInTransaction ? long.MaxValue : context.Server.EffortOfStep);
        }
        catch
        {
            Dispose(); // There was no memory for it: where some is made it is begun anew.
            throw;
        }
    }

    /// <summary>Keeps what was written by now: what goes on is another turn's.</summary>
    private void Keep(CommandContext context, int start)
    {
        _reply = context.Session.Worker.CreateReply(context.Reply.Protocol);
        _reply.IsRefusable = true;
        _reply.LeaveHeadroom(HeadroomBytes);
        _reply.Raw(context.Reply.WrittenSpan[start..]);
        context.Reply.Rewind(start);
        context.HasMore = true;
    }

    private void GoOn(CommandContext context)
    {
        var (session, reply) = (context.Session, context.Reply);
        try
        {
            context.Reply = _reply!;
            if (!TryStep(context, context.Server.EffortOfStep))
            {
                context.HasMore = true;
                return;
            }

            var middle = _reply!.Length;
            WriteHeader(_reply);
            _reply.MoveForward(0, middle);
            reply.TakeFrom(_reply);
        }
        catch
        {
            session.EndUnfinished(); // There was no memory for it: where some is made it is begun anew.
            throw;
        }
        finally
        {
            context.Reply = reply;
        }

        session.EndUnfinished();
    }
}
