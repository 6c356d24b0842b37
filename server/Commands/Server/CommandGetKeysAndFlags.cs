using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>COMMAND GETKEYSANDFLAGS command [arg ...]</summary>
internal static class CommandGetKeysAndFlags
{
    public static readonly CommandRow Row = new("getkeysandflags", -3,
        CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Categories = AclCategories.Connection,
        Since = "7.0.0",
        IsReport = true,
        Summary = "Tells which arguments of a command are keys, and what is done with them.",
        Complexity = "O(N) where N is the number of arguments",
        Syntax = "command [arg [arg ...]]",
    };

    private static void Execute(CommandContext context) => KeysOfRequest.Answer(context, withFlags: true);
}
