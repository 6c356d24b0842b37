using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Scripting;

/// <summary>EVALSHA</summary>
internal static class EvalSha
{
    public static readonly CommandRow Row = new("evalsha", -3,
        CommandFlags.NoScript | CommandFlags.SkipMonitor | CommandFlags.Stale | CommandFlags.NoMandatoryKeys
            | CommandFlags.MovableKeys | CommandFlags.MayReplicate | CommandFlags.AllShards
            | CommandFlags.ExecutesScript,
        KeySpec.Counted(2, KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Update),
        static context => context.Session.Worker.Scripts.EvalSha(context, isReadOnly: false))
    {
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Since = "2.6.0",
        Summary = "Executes a script by the SHA-1 of its body.",
        Complexity = "Depends on the script that is executed.",
        Syntax = "sha1 numkeys [key [key ...]] [arg [arg ...]]",
    };
}
