using Strata.Server.Resp;

namespace Strata.Server.Scripting;

/// <summary>What a script asks of who executes it.</summary>
internal interface IScriptHost
{
    /// <summary>Executes a command.</summary>
    /// <param name="request">The command.</param>
    /// <param name="reply">What it answers, in RESP; good until the next call.</param>
    /// <returns>False when the script must end.</returns>
    bool TryCall(scoped in Request request, out ReadOnlySpan<byte> reply);

    /// <summary>Tells whether the client may execute a command.</summary>
    /// <param name="request">The command.</param>
    /// <param name="reply">The answer in RESP; good until the next call.</param>
    void CheckAccess(scoped in Request request, out ReadOnlySpan<byte> reply);

    /// <summary>redis.log.</summary>
    void Log(int level, ReadOnlySpan<byte> text);

    /// <summary>redis.setresp.</summary>
    void SetProtocol(int protocol);

    /// <summary>Called now and then.</summary>
    /// <returns>False when the script must end.</returns>
    bool MayGoOn();
}
