using Strata.Server.Commands.Model;
using Strata.Server.Resp;

namespace Strata.Server.Clients;

/// <summary>Executes scripts on one worker.</summary>
internal interface IScriptExecutor
{
    /// <summary>Memory of the worker's state of Lua, bytes; any thread may read it.</summary>
    long StateBytes { get; }

    /// <summary>Executes EVAL, or EVAL_RO, and writes its reply. The leases must be held.</summary>
    void Eval(CommandContext context, bool isReadOnly);

    /// <summary>Executes EVALSHA, or EVALSHA_RO, and writes its reply. The leases must be held.</summary>
    void EvalSha(CommandContext context, bool isReadOnly);

    /// <summary>Executes SCRIPT LOAD.</summary>
    void Load(CommandContext context);

    /// <summary>The flags of a command that executes a script: those of its row, unless the script, or the function,
    /// has said whether it writes.</summary>
    CommandFlags FlagsOf(CommandRow row, in Request request);

    /// <summary>Collects the garbage of what was executed, where it is worth it.</summary>
    void Collect();
}
