using Strata.Server.Commands.Model;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Strings;

/// <summary>Answers a long string, or a part of it, in steps.</summary>
internal sealed class StringReplyPass : StringPass
{
    /// <summary>Shorter strings are always answered in one go.</summary>
    public const int LeastBytes = BytesPerUnit;

    private readonly int _end;
    private int _next;

    private StringReplyPass(CommandContext context, int start, int end)
        : base(context)
    {
        (_next, _end) = (start, end);
    }

    /// <summary>Answers bytes of the command's key, which holds a string.</summary>
    /// <param name="context">The command, which only reads.</param>
    /// <param name="record">The string.</param>
    /// <param name="start">The first byte.</param>
    /// <param name="end">Behind the last one.</param>
    public static void Answer(CommandContext context, in Record record, int start, int end)
    {
        if (!AreMany(context, end - start) || !StaysAtHand(context, context.Key, record))
        {
            context.Reply.Bulk(record.Value[start..end]);
        }
        else if (!WantsLease(context) && !IsElsewhere(context))
        {
            Begin(context, new StringReplyPass(context, start, end), context.Key);
        }
    }

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context)
    {
        if (!TryOpen(context, context.Key, out var record))
        {
            return false;
        }

        if (Reply.Length == 0)
        {
            Reply.BeginBulk(_end - _next);
        }

        var bytes = Math.Min(BytesOfStep(context), _end - _next);
        Reply.Raw(record.Value.Slice(_next, bytes));
        _next += bytes;
        if (_next < _end)
        {
            return false;
        }

        Reply.Raw("\r\n"u8);
        context.Reply.TakeFrom(Reply);
        return true;
    }
}
