using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Storage.Collections;

namespace Strata.Server.Commands.Shared;

/// <summary>A report on each of the names that a command has, in their order.</summary>
internal sealed class NamesPass : ReportPass
{
    private readonly Func<CommandContext, int, bool> _write;
    private readonly Action<ReplyWriter, int> _writeHeader;
    private int _next;
    private int _written;

    private NamesPass(int first, Func<CommandContext, int, bool> write, Action<ReplyWriter, int> writeHeader)
    {
        _next = first;
        _write = write;
        _writeHeader = writeHeader;
    }

    /// <summary>Answers.</summary>
    /// <param name="context">The command.</param>
    /// <param name="first">The first of the names.</param>
    /// <param name="write">Writes to the reply what is told of the name at an index.</param>
    /// <param name="writeHeader">Writes what stands before all, with how many were written.</param>
    public static void Answer(
        CommandContext context,
        int first,
        Func<CommandContext, int, bool> write,
        Action<ReplyWriter, int> writeHeader)
        => Answer(context, _ => new NamesPass(first, write, writeHeader));

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context, long effort)
    {
        while (_next < context.Count)
        {
            if (effort <= 0)
            {
                return false;
            }

            var before = context.Reply.Length;
            _written += _write(context, _next) ? 1 : 0;
            effort -= StepEffort.Of(context.Reply.Length - before + context.Request.Length(_next));
            _next++;
        }

        return true;
    }

    /// <inheritdoc/>
    private protected override void WriteHeader(ReplyWriter reply) => _writeHeader(reply, _written);
}
