using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Documentation;

/// <summary>A command or subcommand, of Redis or of this server's own, as docs/COMMANDS.md shows it.</summary>
/// <param name="FullName">Lower case; "config|get" of a subcommand.</param>
/// <param name="Group">Its group in the Redis command reference.</param>
/// <param name="Since">The Redis version that has it first.</param>
/// <param name="Answer">Whether this server has it.</param>
/// <param name="Remark">How it differs; empty where it does not.</param>
internal sealed record DocumentedCommand(
    string FullName, CommandGroup Group, string Since, CommandAnswer Answer, string Remark)
{
    /// <summary>A row of the table of commands.</summary>
    public static DocumentedCommand Of(CommandRow row) => new(
        row.FullName,
        row.Group,
        row.Since,
        row.Differs == null ? CommandAnswer.Yes : CommandAnswer.Differs,
        row.Differs ?? "");

    /// <summary>What the table lacks.</summary>
    public static DocumentedCommand Of(MissingCommand missing)
        => new(missing.FullName, missing.Group, missing.Since, CommandAnswer.No, "");
}
