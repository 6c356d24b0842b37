using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage.Collections.Hashes;

namespace Strata.Server.Commands.Hashes;

/// <summary>What HTTL, HPTTL, HEXPIRETIME and HPEXPIRETIME answer.</summary>
internal static class FieldTime
{
    private static readonly AnswerArguments s_seconds = Answers(isAbsolute: false, inMilliseconds: false);
    private static readonly AnswerArguments s_milliseconds = Answers(isAbsolute: false, inMilliseconds: true);
    private static readonly AnswerArguments s_unixSeconds = Answers(isAbsolute: true, inMilliseconds: false);
    private static readonly AnswerArguments s_unixMilliseconds = Answers(isAbsolute: true, inMilliseconds: true);

    /// <summary>Answers when each field expires, seconds rounded up.</summary>
    public static void Execute(CommandContext context, bool isAbsolute, bool inMilliseconds)
    {
        if (KeyPass.TryGoOn(context) || !HashAccess.TryRead(context, out var hash)
            || !FieldList.TryParse(context, out var fields))
        {
            return;
        }

        var answer = isAbsolute
            ? (inMilliseconds ? s_unixMilliseconds : s_unixSeconds)
            : (inMilliseconds ? s_milliseconds : s_seconds);
        if (!ArgumentPass.Begins(context, fields.First, answer))
        {
            context.Reply.Array(fields.Count);
            Answer(context, hash, context.Reply, fields.First, context.Count, isAbsolute, inMilliseconds);
        }
    }

    private static AnswerArguments Answers(bool isAbsolute, bool inMilliseconds)
        => (context, in record, reply, first, end) => Answer(
            context, record.IsNull ? default : new HashReader(record, context.NowMs), reply, first, end, isAbsolute,
            inMilliseconds);

    private static void Answer(
        CommandContext context, HashReader hash, ReplyWriter reply, int first, int end, bool isAbsolute,
        bool inMilliseconds)
    {
        for (var i = first; i < end; i++)
        {
            if (!hash.TryGetExpiry(context.Argument(i), out var expiryMs))
            {
                reply.Integer(FieldList.MissingField);
            }
            else if (expiryMs < 0)
            {
                reply.Integer(FieldList.NoExpiry);
            }
            else
            {
                var timeMs = isAbsolute ? expiryMs : expiryMs - context.NowMs;
                reply.Integer(inMilliseconds ? timeMs : (timeMs + 999) / 1000);
            }
        }
    }
}
