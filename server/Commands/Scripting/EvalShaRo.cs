using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Scripting;

/// <summary>EVALSHA_RO</summary>
internal static class EvalShaRo
{
    public static readonly CommandRow Row = new("evalsha_ro", -3,
        CommandFlags.NoScript | CommandFlags.SkipMonitor | CommandFlags.Stale | CommandFlags.NoMandatoryKeys
            | CommandFlags.MovableKeys | CommandFlags.ReadOnly | CommandFlags.AllShards
            | CommandFlags.ExecutesScript,
        KeySpec.Counted(2, KeyAccess.ReadOnly | KeyAccess.Access),
        static context => context.Session.Worker.Scripts.EvalSha(context, isReadOnly: true))
    {
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Since = "7.0.0",
        Summary = "Executes a script that changes nothing by the SHA-1 of its body.",
        Complexity = "Depends on the script that is executed.",
        Syntax = "sha1 numkeys [key [key ...]] [arg [arg ...]]",
    };
}
