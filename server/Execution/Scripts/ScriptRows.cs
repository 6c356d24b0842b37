using Strata.Server.Commands.Functions;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Scripting;
using Strata.Server.Scripting;

namespace Strata.Server.Execution.Scripts;

/// <summary>What the rows of the commands that execute scripts have their first argument be.</summary>
internal static class ScriptRows
{
    /// <summary>Whether it is the script itself.</summary>
    public static bool NameBody(CommandRow row) => row.Is(Eval.Row) || row.Is(EvalRo.Row);

    /// <summary>Whether it is a function.</summary>
    public static bool NameFunction(CommandRow row) => row.Is(FCall.Row) || row.Is(FCallRo.Row);

    /// <summary>The flags of a command: those of its row, unless what it executes has declared whether it writes.
    /// </summary>
    /// <param name="row">EVAL or its like.</param>
    /// <param name="name">Its first argument.</param>
    /// <param name="scripts">The scripts that are known.</param>
    /// <param name="functions">The functions.</param>
    public static CommandFlags FlagsOf(
        CommandRow row, ReadOnlySpan<byte> name, KnownScripts scripts, FunctionExecutor functions)
    {
        var declared = NameBody(row) ? Shebang.FlagsOf(name)
            : (NameFunction(row) ? functions.Find(name) : (Executable?)scripts.Find(name)?.Script)?.Flags
                ?? ScriptFlags.Undeclared;
        return (declared & ScriptFlags.Undeclared) != 0
            ? row.Flags
            : (row.Flags & ~CommandFlags.MayReplicate)
                | ((declared & ScriptFlags.NoWrites) == 0 ? CommandFlags.Write : CommandFlags.None);
    }
}
