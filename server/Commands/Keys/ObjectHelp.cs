namespace Strata.Server.Commands.Keys;

/// <summary>OBJECT HELP</summary>
internal static class ObjectHelp
{
    public static readonly CommandRow Row = new("help", 2, CommandFlags.Loading | CommandFlags.Stale,
        KeySpec.None, HelpReply.Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "6.2.0",
        Summary = "Lists the subcommands.",
        Complexity = "O(1)",
    };
}
