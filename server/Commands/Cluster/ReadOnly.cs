using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Cluster;

/// <summary>READONLY and READWRITE, with which clients of a cluster say whether replicas may answer their reads: errors
/// on a server that is no part of one.</summary>
internal static class ReadOnly
{
    public static readonly CommandRow Row = Make(
        "readonly", "Lets replicas of a cluster answer the client's reads: an error on a server alone.");

    public static readonly CommandRow ReadWriteRow = Make(
        "readwrite", "Undoes READONLY: an error on a server alone.");

    private static CommandRow Make(string name, string summary) => new(name, 1,
        CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast, KeySpec.None, Execute)
    {
        Group = CommandGroup.Cluster,
        Categories = AclCategories.Connection,
        Since = "3.0.0",
        Summary = summary,
        Complexity = "O(1)",
    };

    private static void Execute(CommandContext context)
        => context.Reply.Error("ERR This instance has cluster support disabled"u8);
}
