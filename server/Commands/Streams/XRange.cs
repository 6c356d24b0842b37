using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Streams;

/// <summary>XRANGE key start end [COUNT count]</summary>
internal static class XRange
{
    public static readonly CommandRow Row = new("xrange", -4,
        CommandFlags.ReadOnly,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Stream,
        Categories = AclCategories.Stream,
        Since = "5.0.0",
        Summary = "Gives the entries of a stream in a range of ids.",
        Complexity = "O(log(N)+M) with N entries in the stream and M given",
        Syntax = "key start end [COUNT count]",
    };

    private static void Execute(CommandContext context) => EntryRange.Execute(context, isReverse: false);
}
