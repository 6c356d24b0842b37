using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage.Collections.SortedSets;

namespace Strata.Server.Commands.SortedSets;

/// <summary>What ZMSCORE, GEOPOS and GEOHASH do: answers, for each member that the arguments behind the key name, what
/// its score stands for.</summary>
internal sealed class ScoreAnswers
{
    private const int FirstMember = 2;

    private readonly Action<ReplyWriter, double> _found;
    private readonly Action<ReplyWriter> _missing;
    private readonly AnswerArguments _answer;

    /// <param name="found">Answers for the score of a member.</param>
    /// <param name="missing">Answers for one that is not there.</param>
    public ScoreAnswers(Action<ReplyWriter, double> found, Action<ReplyWriter> missing)
    {
        (_found, _missing) = (found, missing);
        _answer = (context, in record, reply, first, end)
            => Answer(context, new SortedSetReader(record), reply, first, end);
    }

    /// <summary>Executes the command.</summary>
    public void Execute(CommandContext context)
    {
        if (KeyPass.TryGoOn(context))
        {
            return;
        }

        switch (SortedSetAccess.Read(context, context.Key, out var set))
        {
            case Lookup.Found when !ArgumentPass.Begins(context, FirstMember, _answer):
                context.Reply.Array(context.Count - FirstMember);
                Answer(context, set, context.Reply, FirstMember, context.Count);
                break;
            case Lookup.Missing:
                context.Reply.Array(context.Count - FirstMember);
                for (var i = FirstMember; i < context.Count; i++)
                {
                    _missing(context.Reply);
                }

                break;
        }
    }

    private void Answer(CommandContext context, in SortedSetReader set, ReplyWriter reply, int first, int end)
    {
        for (var i = first; i < end; i++)
        {
            if (set.TryGetScore(context.Argument(i), out var score))
            {
                _found(reply, score);
            }
            else
            {
                _missing(reply);
            }
        }
    }
}
