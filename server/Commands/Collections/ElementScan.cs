using Strata.Server.Commands.Keys;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Server.Text;
using Strata.Storage.Collections;

namespace Strata.Server.Commands.Collections;

/// <summary>
/// What HSCAN, SSCAN and ZSCAN do: <c>key cursor [MATCH pattern] [COUNT count]</c>. The cursor is one of <see
/// cref="Strata.Storage.Collections.ElementTable.NextCursor"/>: every element present from the first call to the last
/// is met at least once. A packed collection is given whole, whatever the cursor.
/// </summary>
internal static unsafe class ElementScan
{
    /// <summary>The argument behind the cursor.</summary>
    public const int FirstOption = 3;

    private const int CursorIndex = 2;

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
    /// <param name="kind">What its elements are.</param>
    /// <param name="open">Opens the collection again, where the call goes on in steps.</param>
    public static void Execute<TSource>(
        CommandContext context, in TSource source, ulong cursor, ScannedKind kind, OpenElements<TSource> open)
        where TSource : struct, IElementSource, allows ref struct
    {
        if (!ScanOptions.TryParse(context, FirstOption, kind, out var options))
        {
            return;
        }

        var buckets = Math.Min(options.Count, long.MaxValue / BucketsPerElement) * BucketsPerElement;
        var progress = new ScanProgress(cursor, buckets, options.Count, Found: 0);
        if (KeyPass.IsLong(context, Math.Min(options.Count, source.Count), source.Count, source.LargeBytes))
        {
            ElementScanPass<TSource>.Begin(context, open, progress, kind);
            return;
        }

        var start = context.Reply.Length;
        var effort = ElementScanPass<TSource>.CanBegin(context) ? context.Server.EffortAtOnce : long.MaxValue;
        if (TryGoOn(context.Reply, source, options, ref progress, effort))
        {
            WriteHeader(context.Reply, start, progress, options.WithValues);
        }
        else
        {
            ElementScanPass<TSource>.GoOn(context, open, progress, kind, start);
        }
    }

    /// <summary>Goes on to answer elements.</summary>
    /// <param name="reply">Where they are written.</param>
    /// <param name="source">The collection.</param>
    /// <param name="options">What is asked for.</param>
    /// <param name="progress">How far the call has come.</param>
    /// <param name="effort">How much may be done, as <see cref="StepEffort"/> counts.</param>
    /// <returns>Whether the call is at its end.</returns>
    public static bool TryGoOn<TSource>(
        ReplyWriter reply,
        in TSource source,
        in ScanOptions options,
        ref ScanProgress progress,
        long effort)
        where TSource : struct, IElementSource, allows ref struct
    {
        var left = GlobMatch.EffortOf(effort);
        return source.Table == null
            ? TryGoOnPacked(reply, source, options, ref progress, ref left)
            : TryGoOnLarge(reply, source, options, ref progress, ref left);
    }

    /// <summary>Writes what comes before the elements, which are in the reply by now.</summary>
    public static void WriteHeader(ReplyWriter reply, int start, in ScanProgress progress, bool withValues)
    {
        var middle = reply.Length;
        reply.Array(2);
        reply.BulkInteger((long)progress.Cursor);
        reply.Array(withValues ? progress.Found * 2 : progress.Found);
        reply.MoveForward(start, middle);
    }

    private static bool TryGoOnPacked<TSource>(
        ReplyWriter reply, in TSource source, in ScanOptions options, ref ScanProgress progress, ref long left)
        where TSource : struct, IElementSource, allows ref struct
    {
        progress.Cursor = 0;
        for (var position = progress.Position; source.TryNext(ref position, out var element);)
        {
            if (left <= 0 || !TryWrite(reply, source, options, element, ref progress, ref left))
            {
                return false;
            }

            progress.Position = position;
        }

        return true;
    }

    private static bool TryGoOnLarge<TSource>(
        ReplyWriter reply, in TSource source, in ScanOptions options, ref ScanProgress progress, ref long left)
        where TSource : struct, IElementSource, allows ref struct
    {
        while (left > 0)
        {
            if (!progress.IsWithinBucket)
            {
                progress.Cursor = source.Table->NextCursor(progress.Cursor, out var bucket);
                progress.Chain = source.Table->ChainOf(bucket);
                progress.IsWithinBucket = true;
            }

            for (var chain = progress.Chain; chain.TryNext(out var block); progress.Elements--)
            {
                if (!TryWrite(reply, source, options, (nint)block, ref progress, ref left))
                {
                    return false;
                }

                progress.Chain = chain;
            }

            progress.IsWithinBucket = false;
            if (progress.Cursor == 0 || progress.Elements <= 0 || --progress.Buckets <= 0)
            {
                return true;
            }

            left -= GlobMatch.BytesPerElement;
        }

        return false;
    }

    /// <summary>Writes an element if it is asked for.</summary>
    /// <returns>False where it is not known yet whether it is.</returns>
    private static bool TryWrite<TSource>(
        ReplyWriter reply,
        in TSource source,
        in ScanOptions options,
        nint element,
        ref ScanProgress progress,
        ref long left)
        where TSource : struct, IElementSource, allows ref struct
    {
        if (!source.IsLive(element))
        {
            progress.Match = default;
            left -= GlobMatch.BytesPerElement;
            return true;
        }

        if (options.MatchesName(source.NameOf(element), ref progress.Match, ref left) is not { } matches)
        {
            return false;
        }

        left -= GlobMatch.BytesPerElement;
        if (matches)
        {
            var before = reply.Length;
            source.WriteName(reply, element);
            if (options.WithValues)
            {
                source.WriteValue(reply, element);
            }

            progress.Found++;
            left -= GlobMatch.EffortOf(StepEffort.Of(reply.Length - before));
        }

        return true;
    }
}
