using Strata.Server.Commands.Keys;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Collections;

/// <summary>
/// What HSCAN, SSCAN and ZSCAN do: <c>key cursor [MATCH pattern] [COUNT count]</c>. The cursor is one of <see
/// cref="Strata.Storage.Collections.ElementTable.NextCursor"/>: every element present from the first call to the last
/// is met at least once. A packed collection is given whole, whatever the cursor.
/// </summary>
internal static unsafe class ElementScan
{
    private const int CursorIndex = 2;
    private const int FirstOption = 3;

    // Buckets looked at per element asked for, so that a call ends also where most buckets are empty (Redis's factor).
    private const long BucketsPerElement = 10;

    /// <summary>Reads the cursor, which Redis does before it looks for the key; answers the error when it is none.
    /// </summary>
    public static bool TryCursor(CommandContext context, out ulong cursor)
    {
        if (ScanCursor.TryParse(context.Argument(CursorIndex), out cursor))
        {
            return true;
        }

        context.Reply.Error(Errors.InvalidCursor);
        return false;
    }

    /// <summary>The answer for a key that is not there; its options are not looked at.</summary>
    public static void WriteEmpty(CommandContext context) => context.Reply.Raw("*2\r\n$1\r\n0\r\n*0\r\n"u8);

    /// <summary>Reads the options and answers the next elements.</summary>
    /// <param name="context">The command.</param>
    /// <param name="source">The collection.</param>
    /// <param name="cursor">Where the last call ended.</param>
    /// <param name="withValues">Whether each element is followed by its value or score.</param>
    public static void Execute<TSource>(CommandContext context, in TSource source, ulong cursor, bool withValues)
        where TSource : struct, IElementSource, allows ref struct
    {
        if (!ScanOptions.TryParse(context, FirstOption, isOfKeys: false, out var options))
        {
            return;
        }

        var reply = context.Reply;
        var start = reply.Length;
        var found = 0L;
        if (source.Table == null)
        {
            cursor = 0;
            for (var position = 0; source.TryNext(ref position, out var element);)
            {
                found += Write(context, source, options, element, withValues);
            }
        }
        else
        {
            var buckets = Math.Min(options.Count, long.MaxValue / BucketsPerElement) * BucketsPerElement;
            var elements = 0L;
            do
            {
                cursor = source.Table->NextCursor(cursor, out var bucket);
                for (var chain = source.Table->ChainOf(bucket); chain.TryNext(out var block); elements++)
                {
                    found += Write(context, source, options, (nint)block, withValues);
                }
            }
            while (cursor != 0 && elements < options.Count && --buckets > 0);
        }

        var middle = reply.Length;
        reply.Array(2);
        reply.BulkInteger((long)cursor);
        reply.Array(withValues ? found * 2 : found);
        reply.MoveForward(start, middle);
    }

    /// <returns>1 when the element is asked for.</returns>
    private static long Write<TSource>(
        CommandContext context, in TSource source, in ScanOptions options, nint element, bool withValues)
        where TSource : struct, IElementSource, allows ref struct
    {
        if (!source.IsLive(element) || !options.MatchesName(source.NameOf(element)))
        {
            return 0;
        }

        source.WriteName(context.Reply, element);
        if (withValues)
        {
            source.WriteValue(context.Reply, element);
        }

        return 1;
    }
}
