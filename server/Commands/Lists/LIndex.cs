using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Lists;

/// <summary>LINDEX key index</summary>
internal static class LIndex
{
    public static readonly CommandRow Row = new("lindex", 3,
        CommandFlags.ReadOnly,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.List,
        Categories = AclCategories.List,
        Since = "1.0.0",
        Summary = "Gives the element of a list at a position.",
        Complexity = "O(N) for a distance of N elements from the nearer end",
        Syntax = "key index",
    };

    private static void Execute(CommandContext context)
    {
        switch (ListAccess.Read(context, context.Key, out var list))
        {
            case Lookup.Missing:
                context.Reply.Null();
                break;
            case Lookup.Found when context.TryInteger(2, out var index):
                if (list.TryFind(index, out var cursor))
                {
                    context.Reply.Bulk(cursor.Current);
                }
                else
                {
                    context.Reply.Null();
                }

                break;
        }
    }
}
