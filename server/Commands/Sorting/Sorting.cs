using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Strata.Server.Commands.Lists;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage;
using Strata.Storage.Changes;
using Strata.Storage.Collections.Lists;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Server.Commands.Sorting;

/// <summary>What SORT and SORT_RO do. All look-ups come before the first change.</summary>
internal static unsafe class Sorting
{
    /// <summary>The error where an element is no number.</summary>
    public static ReadOnlySpan<byte> NotNumbers => "ERR One or more scores can't be converted into double"u8;

    /// <summary>Names the shards of the keys that patterns lead to: all.</summary>
    public static void AddShards(CommandContext context, IShardSet shards)
    {
        if (SortOptions.HasPatterns(context.Request))
        {
            shards.AddAll();
        }
    }

    public static void Execute(CommandContext context, bool isReadOnly)
    {
        if (KeyPass.TryGoOn(context) || !SortOptions.TryParse(context, isReadOnly, out var options))
        {
            return;
        }

        var type = context.TryPeek(context.Key, out var record) ? record.Type : RecordType.List;
        if (!SortSource.CanSort(type))
        {
            context.Reply.Error(Errors.WrongType);
            return;
        }

        var found = context.ReadCollection(context.Key, type, out record) == Lookup.Found;
        if (found && type == RecordType.Set && options is { IsUnsorted: true, StoreIndex: > 0 })
        {
            options.SortByText();
        }

        var count = found ? SortSource.CountOf(record) : 0;
        var first = Math.Clamp(options.Start, 0, count);
        var given = options.Count < 0 ? count - first : Math.Min(options.Count, count - first);
        if (found && SortPass.Begins(context, record, options, first, given))
        {
            return;
        }

        var loadsPart = options.IsUnsorted && SortSource.HasOrder(type);
        using var elements = new SortVector(context.Server.Shards.Budget, loadsPart ? given : count);
        using var lookup = new SortLookup(context.Server.Shards.Budget);
        if (found)
        {
            SortSource.Load(
                record, loadsPart ? first : 0, loadsPart ? given : count, loadsPart && options.IsDescending, elements);
        }

        if (!options.IsUnsorted && !TrySort(context, options, elements.Items, lookup))
        {
            context.Reply.Error(NotNumbers);
            return;
        }

        var result = elements.Items.Slice(loadsPart ? 0 : (int)first, (int)given);
        if (options.StoreIndex == 0)
        {
            Write(context, options, result, lookup);
            return;
        }

        using var values = new SortVector(context.Server.Shards.Budget, given * Math.Max(1, options.GetCount));
        Collect(context, options, result, lookup, values);
        if (context.HasSeenAll)
        {
            Store(context, context.KeyAt(options.StoreIndex), values);
        }
    }

    /// <summary>Sorts elements.</summary>
    /// <returns>False when they are to be compared as numbers, and one is none.</returns>
    private static bool TrySort(
        CommandContext context, in SortOptions options, Span<SortItem> items, SortLookup lookup)
    {
        var by = options.ByPattern(context);
        foreach (ref var item in items)
        {
            if (!lookup.TryGet(context, by, item.ElementSpan, out var value))
            {
                continue; // Its score is 0, its text comes before all others.
            }

            if (!TryScore(ref item, value, options.IsAlpha, options.StoreIndex > 0))
            {
                return false;
            }
        }

        items.Sort(new SortComparer(options.IsAlpha, options.IsDescending));
        return true;
    }

    /// <summary>Notes what an element is sorted by.</summary>
    /// <param name="item">The element.</param>
    /// <param name="value">The value, whose bytes stay where they are.</param>
    /// <param name="isAlpha">Whether it is a text.</param>
    /// <param name="stores">Whether the result is stored.</param>
    /// <returns>False when it is to be a number and is none.</returns>
    public static bool TryScore(ref SortItem item, ReadOnlySpan<byte> value, bool isAlpha, bool stores)
    {
        if (!isAlpha)
        {
            return TryScore(value, out item.Score);
        }

        // A text that is sorted for the client ends at a zero byte, as for C's strcoll.
        var end = stores ? -1 : value.IndexOf((byte)0);
        item.Text = (byte*)Unsafe.AsPointer(ref MemoryMarshal.GetReference(value));
        item.TextLength = end < 0 ? value.Length : end;
        return true;
    }

    /// <summary>Reads a number as C's strtod: behind white space, up to a zero byte; no text at all is 0.</summary>
    private static bool TryScore(ReadOnlySpan<byte> text, out double score)
    {
        var end = text.IndexOf((byte)0);
        text = end < 0 ? text : text[..end];
        score = 0;
        return text.IsEmpty || DoubleParser.TryParse(text.TrimStart(" \t\n\v\f\r"u8), out score);
    }

    private static void Write(
        CommandContext context, in SortOptions options, ReadOnlySpan<SortItem> result, SortLookup lookup)
    {
        var patterns = options.GetPatterns(context);
        context.Reply.Array((long)result.Length * Math.Max(1, patterns.Length));
        foreach (ref readonly var item in result)
        {
            if (patterns.Length == 0)
            {
                context.Reply.Bulk(item.ElementSpan);
            }

            foreach (ref readonly var pattern in patterns.AsSpan())
            {
                if (lookup.TryGet(context, pattern, item.ElementSpan, out var value))
                {
                    context.Reply.Bulk(value);
                }
                else
                {
                    context.Reply.Null();
                }
            }
        }
    }

    private static void Collect(
        CommandContext context,
        in SortOptions options,
        ReadOnlySpan<SortItem> result,
        SortLookup lookup,
        SortVector values)
    {
        var patterns = options.GetPatterns(context);
        foreach (ref readonly var item in result)
        {
            if (patterns.Length == 0)
            {
                values.Add(item.ElementSpan);
            }

            foreach (ref readonly var pattern in patterns.AsSpan())
            {
                _ = lookup.TryGet(context, pattern, item.ElementSpan, out var value);
                values.Add(value); // Of what is missing, an empty text.
            }
        }
    }

    /// <summary>Makes a key a list of values, or, when there are none, removes it.</summary>
    /// <exception cref="MemoryExhaustedException">There is no memory for the list, and nothing was changed.</exception>
    private static void Store(CommandContext context, in Key key, SortVector values)
    {
        if (values.ElementBytes >= Limits.ResultStepBytes)
        {
            context.Server.Shards.Budget.AskForValue(values.ElementBytes, neededBytes: 0);
        }

        var exists = context.TryWrite(key, out var existing);
        if (values.Count > 0)
        {
            StoreList(context, key, existing, values.Items);
        }
        else if (exists)
        {
            context.ShardOf(key).Remove(key, existing, context.Change(KeyEvent.Del));
        }

        context.Reply.Integer(values.Count);
    }

    private static void StoreList(
        CommandContext context, in Key key, in Record existing, ReadOnlySpan<SortItem> values)
    {
        var list = ListAccess.Create(context, key, existing, values[0].ElementSpan);
        foreach (ref readonly var value in values[1..])
        {
            list.Push(value.ElementSpan, ListEnd.Tail);
        }

        list.End(context.Change(KeyEvent.SortStore));
    }
}
