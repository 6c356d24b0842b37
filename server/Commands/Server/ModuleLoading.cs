using Strata.Server.Commands.Model;
using Strata.Server.Options;

namespace Strata.Server.Commands.Server;

/// <summary>MODULE LOAD, LOADEX and UNLOAD: there are no modules, so the answer is that of a server which does not
/// allow them (enable-module-command no).</summary>
internal static class ModuleLoading
{
    public static readonly CommandRow LoadRow = Refused("load", -3, "4.0.0", "path [arg [arg ...]]");

    public static readonly CommandRow LoadExRow = Refused(
        "loadex", -3, "7.0.0", "path [CONFIG name value [CONFIG name value ...]] [ARGS args [args ...]]");

    public static readonly CommandRow UnloadRow = Refused("unload", 3, "4.0.0", "name");

    private static CommandRow Refused(string name, int arity, string since, string syntax) => new(name, arity,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.NoAsyncLoading | CommandFlags.Protected,
        KeySpec.None, static _ => { })
    {
        Group = CommandGroup.Server,
        Since = since,
        Summary = "Refused: this server has no modules.",
        Differs = "Always refused, as by enable-module-command no.",
        Complexity = "O(1)",
        Syntax = syntax,
        Guard = static _ => GuardedAccess.No,
    };
}
