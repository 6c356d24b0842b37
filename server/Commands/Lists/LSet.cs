using Strata.Server.Commands.Model;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Lists;

/// <summary>LSET key index element</summary>
internal static class LSet
{
    public static readonly CommandRow Row = new("lset", 4,
        CommandFlags.Write | CommandFlags.DenyOom,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.List,
        Categories = AclCategories.List,
        Since = "1.0.0",
        Summary = "Puts another element at a position of a list.",
        Complexity = "O(N) for a distance of N elements from the nearer end",
        Syntax = "key index element",
    };

    private static void Execute(CommandContext context)
    {
        switch (ListAccess.Edit(context, context.Key, out var list))
        {
            case Lookup.Missing:
                context.Reply.Error(Errors.NoSuchKey);
                break;
            case Lookup.Found when context.TryInteger(2, out var index):
                if (!list.Reader.TryFind(index, out var cursor))
                {
                    context.Reply.Error(Errors.IndexOutOfRange);
                    break;
                }

                list.Replace(ref cursor, context.Argument(3));
                list.End(context.Change(KeyEvent.LSet));
                context.Reply.Ok();
                break;
        }
    }
}
