using Strata.Server.Clients;
using Strata.Server.Clients.Waiting;
using Strata.Server.Commands.Model;
using Strata.Storage.Collections;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Blocking;

/// <summary>A command's beginning to wait for very many keys, in steps. It holds them, so that none of them comes
/// before it waits for the last.</summary>
/// <param name="first">Index of the first key.</param>
/// <param name="count">Number of keys.</param>
internal sealed class WaitSteps(int first, int count) : IDisposable
{
    // What it takes to wait for a key, beside its name.
    private const int EffortOfWait = 8;

    private BlockedCommand? _blocked;
    private int _entered;

    /// <summary>Goes on to wait for the keys; when it waits for all, the client is blocked.</summary>
    /// <param name="context">The command.</param>
    /// <param name="type">What it waits for.</param>
    /// <param name="timeoutMs">Milliseconds to wait at most; 0 for ever.</param>
    /// <param name="effort">What is left of the step.</param>
    /// <param name="stream">Of what waits for streams, what it keeps.</param>
    /// <returns>Whether it waits for all.</returns>
    public bool TryBlock(
        CommandContext context, RecordType type, long timeoutMs, long effort, StreamWait stream = default)
    {
        _blocked ??= KeyWait.Begin(context, type, timeoutMs, stream);
        for (; _entered < count; _entered++)
        {
            if (effort <= 0)
            {
                return false;
            }

            var key = context.KeyAt(first + _entered);
            effort -= EffortOfWait + StepEffort.Of(key.Length);
            _blocked.Add(context.ShardOf(key), key);
        }

        context.Session.Block(_blocked);
        _blocked = null;
        return true;
    }

    /// <summary>Waits for none any more, unless it waits for all.</summary>
    public void Dispose()
    {
        _blocked?.Leave();
        _blocked = null;
    }
}
