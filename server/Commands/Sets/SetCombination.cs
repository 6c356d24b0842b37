using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Changes;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Index;
using Strata.Storage.Memory;
using Strata.Storage.Records;

namespace Strata.Server.Commands.Sets;

/// <summary>
/// Intersection, union and difference of several keys' sets: replied (SINTER and its like), stored (SINTERSTORE) or
/// counted (SINTERCARD). What is stored is complete before the destination changes, which may be one of the sources.
/// </summary>
internal static class SetCombination
{
    private const int SetsOnStack = 16;

    /// <summary>Replies what an operation makes of the sets of all arguments.</summary>
    public static void Execute(CommandContext context, SetOperation operation)
    {
        var count = context.Count - 1;
        if (KeyPass.TryGoOn(context) || SetPass.BeginsOneByOne(context, operation, 1, count, default))
        {
            return;
        }

        using var opened = SetsOf(context, count, stackalloc SetReader[SetsOnStack]);
        var sets = opened.Span;
        if (!TryOpen(context, 1, sets) || GoesInSteps(context, operation, 1, sets, default))
        {
            return;
        }

        if (IsByMember(operation, sets))
        {
            var start = context.Reply.Length;
            var sink = new ReplySink(context.Reply);
            SendMembers(operation, sets, ref sink);
            var middle = context.Reply.Length;
            context.Reply.Set(sink.Count);
            context.Reply.MoveForward(start, middle);
            return;
        }

        using var result = new DetachedSet(context.Shard);
        Combine(operation, sets, result);
        context.Reply.Set(result.Count);
        foreach (var member in result)
        {
            context.Reply.Bulk(member);
        }
    }

    /// <summary>Stores what an operation makes of the sets of all arguments but the first under the first, and replies
    /// how many members it has.</summary>
    public static void Store(CommandContext context, SetOperation operation, KeyEvent what)
    {
        var count = context.Count - 2;
        var end = new SetEnd(what, IsNumber: false, Limit: 0);
        if (KeyPass.TryGoOn(context) || SetPass.BeginsOneByOne(context, operation, 2, count, end))
        {
            return;
        }

        using var opened = SetsOf(context, count, stackalloc SetReader[SetsOnStack]);
        var sets = opened.Span;
        if (!TryOpen(context, 2, sets) || GoesInSteps(context, operation, 2, sets, end))
        {
            return;
        }

        var result = new DetachedSet(context.ShardOf(context.KeyAt(1)));
        try
        {
            if (IsByMember(operation, sets))
            {
                var sink = new ResultSink(result);
                SendMembers(operation, sets, ref sink);
            }
            else
            {
                Combine(operation, sets, result);
            }

            Store(context, ref result, what);
        }
        finally
        {
            result.Dispose();
        }
    }

    /// <summary>Makes a result the first key's value, and replies how many members it has.</summary>
    public static void Store(CommandContext context, ref DetachedSet result, KeyEvent what)
    {
        var destination = context.KeyAt(1);
        var members = result.Count;
        if (members == 0)
        {
            Delete(context, destination);
        }
        else
        {
            _ = context.TryWrite(destination, out var existing);
            result.Put(destination, existing, SetAccess.LimitsOf(context), context.Change(what));
        }

        context.Reply.Integer(members);
    }

    /// <summary>Counts the intersection of the sets of <paramref name="count"/> arguments.</summary>
    public static void CountIntersection(CommandContext context, int first, int count, long limit)
    {
        var end = new SetEnd(Stored: null, IsNumber: true, limit);
        if (KeyPass.TryGoOn(context)
            || SetPass.BeginsOneByOne(context, SetOperation.Intersection, first, count, end))
        {
            return;
        }

        using var opened = SetsOf(context, count, stackalloc SetReader[SetsOnStack]);
        var sets = opened.Span;
        if (TryOpen(context, first, sets)
            && !GoesInSteps(context, SetOperation.Intersection, first, sets, end))
        {
            var sink = new CountSink(limit);
            SendMembers(SetOperation.Intersection, sets, ref sink);
            context.Reply.Integer(sink.Count);
        }
    }

    /// <summary>Begins to combine sets in steps, if it takes long.</summary>
    private static bool GoesInSteps(
        CommandContext context, SetOperation operation, int first, ReadOnlySpan<SetReader> sets, SetEnd end)
    {
        var (all, least) = (0L, long.MaxValue);
        foreach (var set in sets)
        {
            var effort = StepEffort.Of(set.Count, set.Count, set.LargeBytes);
            all += effort;
            least = Math.Min(least, effort);
        }

        if (!KeyPass.IsLong(context, operation == SetOperation.Intersection ? least * sets.Length : all))
        {
            return false;
        }

        SetPass.Begin(context, operation, first, sets, end);
        return true;
    }

    private static ScratchSpan<SetReader> SetsOf(CommandContext context, int count, Span<SetReader> memory)
        => new(context.Server.Shards.Budget, count, memory);

    private static bool TryOpen(CommandContext context, int first, Span<SetReader> sets)
    {
        for (var i = 0; i < sets.Length; i++)
        {
            if (!SetAccess.TryRead(context, context.KeyAt(first + i), out sets[i]))
            {
                return false;
            }
        }

        return true;
    }

    /// <inheritdoc cref="SetPass.IsByMember"/>
    private static bool IsByMember(SetOperation operation, ReadOnlySpan<SetReader> sets)
    {
        var total = 0L;
        foreach (var set in sets)
        {
            total += set.Count;
        }

        return SetPass.IsByMember(operation, sets.Length, sets[0].Count, total);
    }

    private static void SendMembers<TSink>(SetOperation operation, scoped Span<SetReader> sets, ref TSink sink)
        where TSink : ISetSink, allows ref struct
    {
        var wanted = operation == SetOperation.Intersection;
        if (wanted)
        {
            sets.Sort(static (a, b) => a.Count.CompareTo(b.Count));
        }

        foreach (var member in sets[0])
        {
            var i = 1;
            while (i < sets.Length && sets[i].Contains(member) == wanted)
            {
                i++;
            }

            if (i == sets.Length && !sink.Take(member))
            {
                return;
            }
        }
    }

    private static void Combine(SetOperation operation, ReadOnlySpan<SetReader> sets, in DetachedSet result)
    {
        foreach (var member in sets[0])
        {
            _ = result.Add(member);
        }

        foreach (var set in sets[1..])
        {
            foreach (var member in set)
            {
                _ = operation == SetOperation.Union ? result.Add(member) : result.Remove(member);
            }
        }
    }

    /// <summary>Deletes a destination for which there are no members. Like Redis it tells so even of one whose time had
    /// come.</summary>
    private static void Delete(CommandContext context, in Key destination)
    {
        var shard = context.ShardOf(destination);
        if (shard.Find(destination, context.NowMs, context.Cold, out var existing)
            is FindResult.Found or FindResult.Expired)
        {
            shard.Remove(destination, existing, context.Change(KeyEvent.Del));
        }
    }
}
