using Strata.Server.Resp;

namespace Strata.Server.Scripting.Functions;

/// <summary>What libraries may ask of the server while they load: to log a line, and to go on for a time.</summary>
/// <param name="host">What logs; null where they were loaded before, and have said it then.</param>
/// <param name="clock">The clock.</param>
/// <param name="timeoutMs">How long they may take together, milliseconds.</param>
internal sealed class LibraryLoading(IScriptHost? host, TimeProvider clock, int timeoutMs) : IScriptHost
{
    private readonly long _started = clock.GetTimestamp();

    /// <inheritdoc/>
    public bool TryCall(scoped in Request request, out ReadOnlySpan<byte> reply) => throw Unreachable();

    /// <inheritdoc/>
    public void CheckAccess(scoped in Request request, out ReadOnlySpan<byte> reply) => throw Unreachable();

    /// <inheritdoc/>
    public void Log(int level, ReadOnlySpan<byte> text) => host?.Log(level, text);

    /// <inheritdoc/>
    public void SetProtocol(int protocol) => throw Unreachable();

    /// <inheritdoc/>
    public bool MayGoOn() => clock.GetElapsedTime(_started).TotalMilliseconds <= timeoutMs;

    private static InvalidOperationException Unreachable() => new("a library that loads calls no commands");
}
