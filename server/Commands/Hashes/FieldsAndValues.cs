using Strata.Server.Commands.Collections;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Changes;
using Strata.Storage.Collections;

namespace Strata.Server.Commands.Hashes;

/// <summary>What HSET and HMSET do: <c>key field value [field value ...]</c>.</summary>
internal static class FieldsAndValues
{
    private const int First = 2;

    /// <summary>Sets the fields, and answers.</summary>
    public static void Set(CommandContext context)
    {
        var isLong = AdditionPass.HasMany(context);
        if (isLong && KeyPass.TryGoOn(context))
        {
            return;
        }

        if (context.Count % 2 != 0)
        {
            context.Reply.Error($"ERR wrong number of arguments for '{context.Row.Name}' command");
            return;
        }

        if (!HashAccess.TryWrite(context, out var hash))
        {
            return;
        }

        var limits = HashAccess.LimitsOf(context);
        if (context.Count > First + 2)
        {
            var bytes = 0L;
            var fitPacked = true;
            for (var i = First; i < context.Count; i++)
            {
                var length = context.Request.Length(i);
                bytes += PackedForm.SizeOf(length);
                fitPacked &= length <= limits.MaxValueBytes;
            }

            hash.Expect((context.Count - First) / 2, bytes, fitPacked, limits);
        }

        if (isLong && HashAdditionPass.Begins(context, First))
        {
            return;
        }

        var added = 0L;
        for (var i = First; i < context.Count; i += 2)
        {
            added += hash.Set(context.Argument(i), context.Argument(i + 1), limits) ? 1 : 0;
        }

        hash.End(context.Change(KeyEvent.HSet));
        Answer(context, added);
    }

    /// <summary>Answers what was done.</summary>
    /// <param name="context">The command.</param>
    /// <param name="added">How many fields were new.</param>
    public static void Answer(CommandContext context, long added)
    {
        if (context.Row.Is(HSet.Row))
        {
            context.Reply.Integer(added);
        }
        else
        {
            context.Reply.Ok();
        }
    }
}
