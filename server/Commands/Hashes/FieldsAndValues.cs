using Strata.Server.Commands.Model;
using Strata.Storage.Changes;
using Strata.Storage.Collections;

namespace Strata.Server.Commands.Hashes;

/// <summary>What HSET and HMSET do: <c>key field value [field value ...]</c>.</summary>
internal static class FieldsAndValues
{
    private const int First = 2;

    /// <summary>Sets the fields; answers Redis's error if that cannot be.</summary>
    /// <param name="context">The command.</param>
    /// <param name="added">How many were new.</param>
    public static bool TrySet(CommandContext context, out long added)
    {
        added = 0;
        if (context.Count % 2 != 0)
        {
            context.Reply.Error($"ERR wrong number of arguments for '{context.Row.Name}' command");
            return false;
        }

        if (!HashAccess.TryWrite(context, out var hash))
        {
            return false;
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

        for (var i = First; i < context.Count; i += 2)
        {
            added += hash.Set(context.Argument(i), context.Argument(i + 1), limits) ? 1 : 0;
        }

        hash.End(context.Change(KeyEvent.HSet));
        return true;
    }
}
