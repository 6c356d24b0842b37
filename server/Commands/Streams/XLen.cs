using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Streams;

/// <summary>XLEN key</summary>
internal static class XLen
{
    public static readonly CommandRow Row = new("xlen", 2,
        CommandFlags.ReadOnly | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadOnly), Execute)
    {
        Group = CommandGroup.Stream,
        Categories = AclCategories.Stream,
        Since = "5.0.0",
        Summary = "Gives the number of entries of a stream.",
        Complexity = "O(1)",
        Syntax = "key",
    };

    private static void Execute(CommandContext context)
    {
        switch (StreamAccess.Read(context, context.Key, out var stream))
        {
            case Lookup.Found:
                context.Reply.Integer(stream.Count);
                break;
            case Lookup.Missing:
                context.Reply.Integer(0);
                break;
        }
    }
}
