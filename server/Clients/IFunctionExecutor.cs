using Strata.Server.Commands.Model;

namespace Strata.Server.Clients;

/// <summary>Executes functions on one worker, and loads their libraries.</summary>
internal interface IFunctionExecutor
{
    /// <summary>Memory of the worker's state of Lua for functions, bytes; any thread may read it.</summary>
    long StateBytes { get; }

    /// <summary>Executes FCALL, or FCALL_RO, and writes its reply. All leases must be held.</summary>
    void Call(CommandContext context, bool isReadOnly);

    /// <summary>Executes FUNCTION LOAD.</summary>
    /// <param name="context">The command.</param>
    /// <param name="code">The library.</param>
    /// <param name="replaces">Whether it takes the place of one of the same name.</param>
    void Load(CommandContext context, ReadOnlySpan<byte> code, bool replaces);

    /// <summary>Executes FUNCTION RESTORE.</summary>
    /// <param name="context">The command.</param>
    /// <param name="payload">What FUNCTION DUMP has answered.</param>
    /// <param name="policy">What becomes of the libraries that there are.</param>
    void Restore(CommandContext context, ReadOnlySpan<byte> payload, RestorePolicy policy);

    /// <summary>Gives back what libraries take that are not there any more.</summary>
    void Adopt();

    /// <summary>Collects the garbage of what was executed, where it is worth it.</summary>
    void Collect();
}
