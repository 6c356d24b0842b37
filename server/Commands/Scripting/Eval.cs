using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Scripting;

/// <summary>EVAL</summary>
internal static class Eval
{
    public static readonly CommandRow Row = new("eval", -3,
        CommandFlags.NoScript | CommandFlags.SkipMonitor | CommandFlags.Stale | CommandFlags.NoMandatoryKeys
            | CommandFlags.MovableKeys | CommandFlags.MayReplicate | CommandFlags.AllShards
            | CommandFlags.ExecutesScript,
        KeySpec.Counted(2, KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Update),
        static context => context.Session.Worker.Scripts.Eval(context, isReadOnly: false))
    {
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Since = "2.6.0",
        Summary = "Executes a script.",
        Complexity = "Depends on the script that is executed.",
        Syntax = "script numkeys [key [key ...]] [arg [arg ...]]",
    };
}
