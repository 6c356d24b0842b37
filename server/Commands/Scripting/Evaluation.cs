using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Scripting;

/// <summary>What the commands that execute scripts have in common.</summary>
internal static class Evaluation
{
    /// <summary>The row of one of them.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="script">What names the script among its arguments.</param>
    /// <param name="isReadOnly">Whether the script may change nothing.</param>
    /// <param name="since">The Redis version that has it first.</param>
    /// <param name="summary">What it does.</param>
    /// <param name="handler">What carries it out.</param>
    /// <param name="differs">What is otherwise than in Redis, if anything.</param>
    public static CommandRow Row(
        string name,
        string script,
        bool isReadOnly,
        string since,
        string summary,
        CommandHandler handler,
        string? differs = null)
        => new(name, -3,
            CommandFlags.NoScript | CommandFlags.SkipMonitor | CommandFlags.Stale | CommandFlags.NoMandatoryKeys
                | CommandFlags.MovableKeys | CommandFlags.AllShards | CommandFlags.ExecutesScript
                | (isReadOnly ? CommandFlags.ReadOnly : CommandFlags.MayReplicate),
            KeySpec.Counted(2, isReadOnly
                ? KeyAccess.ReadOnly | KeyAccess.Access
                : KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Update),
            handler)
        {
            Group = CommandGroup.Scripting,
            Categories = AclCategories.Scripting,
            Since = since,
            Summary = summary,
            Complexity = "Depends on the script that is executed.",
            Differs = differs,
            Syntax = script + " numkeys [key [key ...]] [arg [arg ...]]",
        };
}
