using Strata.Server.Commands.Model;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Sets;

/// <summary>SMOVE source destination member</summary>
internal static class SMove
{
    public static readonly CommandRow Row = new("smove", 4, CommandFlags.Write | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Delete), Execute)
    {
        SecondKeys = new KeySpec(2, 2, 1, KeyAccess.ReadWrite | KeyAccess.Insert),
        Group = CommandGroup.Set,
        Categories = AclCategories.Set,
        Since = "1.0.0",
        Summary = "Moves a member from one set to another.",
        Complexity = "O(1)",
        Syntax = "source destination member",
    };

    private static void Execute(CommandContext context)
    {
        var source = context.KeyAt(1);
        var destination = context.KeyAt(2);
        var member = context.Argument(3);
        if (!SetAccess.TryEdit(context, source, out var from))
        {
            return;
        }

        if (from.Set.IsEmpty)
        {
            context.Reply.Integer(0); // Whatever the destination is.
            return;
        }

        if (!SetAccess.TryEdit(context, destination, out var to))
        {
            return;
        }

        var isThere = from.Set.Contains(member);
        context.Reply.Integer(isThere ? 1 : 0);
        if (!isThere || source.Span.SequenceEqual(destination.Span))
        {
            return;
        }

        // Adding may fail for want of memory, so it comes first; the events keep Redis's order.
        var isNew = to.Add(member);
        _ = from.Remove(member);
        from.End(context.Change(KeyEvent.SRem));
        if (isNew)
        {
            to.End(context.Change(KeyEvent.SAdd));
        }
    }
}
