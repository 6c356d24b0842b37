using Strata.Server.Commands.Collections;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage.Changes;
using Strata.Storage.Collections.Lists;
using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Lists;

/// <summary>
/// Lists for their commands, the blocking ones too: look-up with the answer to a wrong type, pushes, pops and moves
/// with their events. What is popped is replied; the leases of all keys are held.
/// </summary>
internal static class ListAccess
{
    /// <summary>Looks up a list to read it. A wrong type is answered.</summary>
    public static Lookup Read(CommandContext context, in Key key, out ListReader list)
    {
        var lookup = context.ReadCollection(key, RecordType.List, out var record);
        list = lookup == Lookup.Found ? new ListReader(record) : default;
        return WrongType.Answered(context, lookup);
    }

    /// <summary>Looks up a list to change it. A wrong type is answered.</summary>
    public static Lookup Edit(CommandContext context, in Key key, out ListEditor list)
    {
        var lookup = context.WriteCollection(key, RecordType.List, out var record);
        list = lookup == Lookup.Found ? Open(context, key, record) : default;
        return WrongType.Answered(context, lookup);
    }

    /// <summary>Makes a key a list of one element, whatever it was before.</summary>
    public static ListEditor Create(
        CommandContext context, scoped in Key key, scoped in Record existing, ReadOnlySpan<byte> element)
        => ListEditor.Create(context.ShardOf(key), key, existing, element, LimitOf(context));

    /// <summary>Pushes the arguments from <paramref name="first"/> on, one after the other, and replies the list's
    /// length.</summary>
    /// <param name="context">The command, whose first argument is the key.</param>
    /// <param name="first">The first element among the arguments.</param>
    /// <param name="end">Where they go.</param>
    /// <param name="onlyIfThere">Whether a missing list is left alone.</param>
    public static void Push(CommandContext context, int first, ListEnd end, bool onlyIfThere)
    {
        var key = context.Key;
        var lookup = context.WriteCollection(key, RecordType.List, out var record);
        if (lookup == Lookup.WrongType || (lookup == Lookup.Missing && onlyIfThere))
        {
            if (WrongType.Answered(context, lookup) == Lookup.Missing)
            {
                context.Reply.Integer(0);
            }

            return;
        }

        var list = lookup == Lookup.Found
            ? Open(context, key, record)
            : Create(context, key, record, context.Argument(first++));
        for (var i = first; i < context.Count; i++)
        {
            list.Push(context.Argument(i), end);
        }

        list.End(Pushed(context, end));
        context.Reply.Integer(list.Count);
    }

    /// <summary>Replies the element at an end of a list and removes it.</summary>
    public static void Pop(CommandContext context, ref ListEditor list, ListEnd end)
    {
        context.Reply.Bulk(list.Reader.AtEnd(end).Current);
        list.Pop(end);
        list.End(Popped(context, end));
    }

    /// <summary>Replies an array of as many elements as <paramref name="count"/>, or as there are, from an end on, and
    /// removes them.</summary>
    public static void Pop(CommandContext context, ref ListEditor list, ListEnd end, long count)
    {
        count = Math.Min(count, list.Count);
        Write(context.Reply, list.Reader.AtEnd(end), end, count);
        list.Trim(count, end);
        list.End(Popped(context, end));
    }

    private static void Write(ReplyWriter reply, ListCursor cursor, ListEnd end, long count)
    {
        using var refusable = reply.Refusable();
        reply.Array(count);
        for (; count > 0; count--)
        {
            reply.Bulk(cursor.Current);
            if (end == ListEnd.Head)
            {
                cursor.MoveNext();
            }
            else
            {
                _ = cursor.TryMovePrevious();
            }
        }
    }

    /// <summary>Does what LMPOP does with one of its keys: replies the key and the elements taken.</summary>
    /// <returns>Missing when there is no list, which is not answered; a wrong type is.</returns>
    public static Lookup PopFirst(CommandContext context, in Key key, in PopArguments arguments)
    {
        var lookup = Edit(context, key, out var list);
        if (lookup == Lookup.Found)
        {
            context.Reply.Array(2);
            context.Reply.Bulk(key.Span);
            var end = arguments.IsSecondEnd ? ListEnd.Tail : ListEnd.Head;
            Pop(context, ref list, end, arguments.Count);
            context.Effects?.Tell(PopVerb(end), key.Span, arguments.Count);
        }

        return lookup;
    }

    /// <summary>The command that takes elements out at an end.</summary>
    public static ReadOnlySpan<byte> PopVerb(ListEnd end) => end == ListEnd.Head ? "LPOP"u8 : "RPOP"u8;

    /// <summary>Moves an element from one list to another, or the same, and replies it.</summary>
    /// <returns>Missing when there is no source, which is not answered; a wrong type is.</returns>
    public static Lookup Move(CommandContext context, in Key source, in Key destination, ListEnd from, ListEnd to)
    {
        var lookup = Edit(context, source, out var list);
        if (lookup != Lookup.Found)
        {
            return lookup;
        }

        if (source.Span.SequenceEqual(destination.Span))
        {
            context.Reply.Bulk(list.Reader.AtEnd(from).Current);
            if (from != to)
            {
                list.Rotate(from);
            }

            list.Tell(Pushed(context, to));
        }
        else
        {
            var existing = context.WriteCollection(destination, RecordType.List, out var record);
            if (WrongType.Answered(context, existing) == Lookup.WrongType)
            {
                return Lookup.WrongType;
            }

            var element = list.Reader.AtEnd(from).Current;
            context.Reply.Bulk(element);
            var pushed = Push(context, destination, existing, record, element, to);
            list.Pop(from);
            pushed.End(Pushed(context, to));
        }

        list.End(Popped(context, from));
        return Lookup.Found;
    }

    /// <summary>Reads the word LEFT or RIGHT; answers an error when it is none.</summary>
    public static bool TryReadEnd(CommandContext context, int index, out ListEnd end)
    {
        end = context.IsWord(index, "left"u8) ? ListEnd.Head : ListEnd.Tail;
        if (end == ListEnd.Head || context.IsWord(index, "right"u8))
        {
            return true;
        }

        context.Reply.Error(Errors.Syntax);
        return false;
    }

    private static Change Pushed(CommandContext context, ListEnd end)
        => context.Change(end == ListEnd.Head ? KeyEvent.LPush : KeyEvent.RPush);

    private static Change Popped(CommandContext context, ListEnd end)
        => context.Change(end == ListEnd.Head ? KeyEvent.LPop : KeyEvent.RPop);

    private static ListEditor Push(
        CommandContext context,
        scoped in Key key,
        Lookup lookup,
        scoped in Record record,
        ReadOnlySpan<byte> element,
        ListEnd end)
    {
        if (lookup != Lookup.Found)
        {
            return Create(context, key, record, element);
        }

        var list = Open(context, key, record);
        list.Push(element, end);
        return list;
    }

    private static ListEditor Open(CommandContext context, scoped in Key key, scoped in Record record)
        => new(context.ShardOf(key), key, record, LimitOf(context));

    private static ListpackLimit LimitOf(CommandContext context)
        => new(context.Server.Configuration.Current.ListMaxListpackSize);
}
