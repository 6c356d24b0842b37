using Strata.Server.Commands.Model;

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
}
