using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Scripting;

/// <summary>EVAL_RO</summary>
internal static class EvalRo
{
    public static readonly CommandRow Row = new("eval_ro", -3,
        CommandFlags.NoScript | CommandFlags.SkipMonitor | CommandFlags.Stale | CommandFlags.NoMandatoryKeys
            | CommandFlags.MovableKeys | CommandFlags.ReadOnly | CommandFlags.AllShards
            | CommandFlags.ExecutesScript,
        KeySpec.Counted(2, KeyAccess.ReadOnly | KeyAccess.Access),
        static context => context.Session.Worker.Scripts.Eval(context, isReadOnly: true))
    {
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Since = "7.0.0",
        Summary = "Executes a script that changes nothing.",
        Complexity = "Depends on the script that is executed.",
        Syntax = "script numkeys [key [key ...]] [arg [arg ...]]",
    };
}
