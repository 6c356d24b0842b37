using Strata.Server.Commands.Model;
using Strata.Storage.Collections;

namespace Strata.Server.Commands.Shared;

/// <summary>A command that answers for each of its many arguments what its key's collection has of that, in steps.
/// </summary>
internal sealed class ArgumentPass : KeyPass
{
    // Arguments that are answered before it is looked at what they took.
    private const int AtOnce = 64;

    private readonly AnswerArguments _answer;
    private readonly bool _wasMissing;
    private int _next;

    private ArgumentPass(CommandContext context, int first, AnswerArguments answer)
        : base(context)
    {
        _wasMissing = !context.TryPeek(context.Key, out _);
        _next = first;
        _answer = answer;
    }

    /// <summary>Begins to answer for all arguments from one on, if they are many.</summary>
    /// <param name="context">The command; where its key is missing, an answer is asked for with a null record.</param>
    /// <param name="first">The first of the arguments.</param>
    /// <param name="answer">Answers for some of them.</param>
    /// <returns>Whether the command goes on in steps.</returns>
    public static bool Begins(CommandContext context, int first, AnswerArguments answer)
    {
        if (!IsLong(context, context.Count - first))
        {
            return false;
        }

        if (!IsElsewhere(context))
        {
            var pass = new ArgumentPass(context, first, answer);
            if (TryBegin(context, pass, context.Key))
            {
                pass.Reply.Array(context.Count - first);
                pass.GoOn(context);
            }
        }

        return true;
    }

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context)
    {
        if (context.TryPeek(context.Key, out var record) == _wasMissing || !context.HasSeenAll)
        {
            return false; // It is read, or the key has come or gone, and the command begins anew.
        }

        for (var effort = EffortOfStep(context); _next < context.Count;)
        {
            if (effort <= 0)
            {
                return false;
            }

            var (before, end) = (Reply.Length, Math.Min(context.Count, _next + Math.Min(effort, AtOnce)));
            _answer(context, record, Reply, _next, end);
            effort -= end - _next + StepEffort.Of(Reply.Length - before);
            _next = end;
        }

        context.Reply.TakeFrom(Reply);
        return true;
    }
}
