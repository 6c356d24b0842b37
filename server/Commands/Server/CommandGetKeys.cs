using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>COMMAND GETKEYS command [arg ...]</summary>
internal static class CommandGetKeys
{
    public static readonly CommandRow Row = new("getkeys", -3,
        CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Categories = AclCategories.Connection,
        Since = "2.8.13",
        IsReport = true,
        Summary = "Tells which arguments of a command are keys.",
        Complexity = "O(N) where N is the number of arguments",
        Syntax = "command [arg [arg ...]]",
    };

    private static void Execute(CommandContext context) => KeysOfRequest.Answer(context, withFlags: false);
}
