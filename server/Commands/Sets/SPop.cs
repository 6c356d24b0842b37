using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage.Changes;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Strings;

namespace Strata.Server.Commands.Sets;

/// <summary>SPOP key [count]</summary>
internal static class SPop
{
    public static readonly CommandRow Row = new("spop", -2, CommandFlags.Write | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Delete), Execute)
    {
        Group = CommandGroup.Set,
        Categories = AclCategories.Set,
        Since = "1.0.0",
        Summary = "Takes members at random out of a set and gives them.",
        Complexity = "O(1) for one member, O(N) for N",
        Tips = ["nondeterministic_output"],
        Syntax = "key [count]",
    };

    private static void Execute(CommandContext context)
    {
        if (KeyPass.TryGoOn(context))
        {
            return;
        }

        if (context.Count == 2)
        {
            PopOne(context);
        }
        else if (context.Count > 3)
        {
            context.Reply.Error(Errors.Syntax);
        }
        else if (!NumberParser.TryParseInt64(context.Argument(2), out var count) || count < 0)
        {
            context.Reply.Error("ERR value is out of range, must be positive"u8);
        }
        else
        {
            PopSeveral(context, count);
        }
    }

    private static void PopOne(CommandContext context)
    {
        if (!SetAccess.TryEdit(context, context.Key, out var set))
        {
            return;
        }

        if (set.Set.IsEmpty)
        {
            context.Reply.Null();
            return;
        }

        BeginEffect(context, 1);
        Pop(context, ref set);
        set.End(context.Change(KeyEvent.SPop));
    }

    private static void PopSeveral(CommandContext context, long count)
    {
        if (!SetAccess.TryEdit(context, context.Key, out var set))
        {
            return;
        }

        var left = Math.Min(count, set.Set.Count);
        if (SetPopPass.Begins(context, set.Set, left))
        {
            return;
        }

        context.Reply.Set(left);
        if (left == 0)
        {
            return;
        }

        if (left == set.Set.Count)
        {
            using (context.Reply.Refusable())
            {
                foreach (var member in set.Set)
                {
                    context.Reply.Bulk(member);
                }
            }

            set.Clear();
            context.Effects?.Tell("DEL"u8, context.Key.Span);
            set.End(context.Change(KeyEvent.SPop));
            return;
        }

        context.Reply.Ask(set.Set.LargeBytes / set.Set.Count * left); // About: which ones they are is not known yet.
        BeginEffect(context, (int)left);
        for (; left > 0; left--)
        {
            Pop(context, ref set);
        }

        set.End(context.Change(KeyEvent.SPop));
    }

    /// <summary>Tells the journal which members were drawn: they follow, one by one.</summary>
    private static void BeginEffect(CommandContext context, int members)
    {
        context.Effects?.Begin(2 + members, "SREM"u8);
        context.Effects?.Argument(context.Key.Span);
    }

    private static void Pop(CommandContext context, ref SetEditor set)
    {
        Span<byte> digits = stackalloc byte[CanonicalInteger.MaxBytes];
        var member = set.Set.Draw(context.Random, digits);
        context.Reply.Bulk(member);
        context.Effects?.Argument(member);
        _ = set.Remove(member);
    }
}
