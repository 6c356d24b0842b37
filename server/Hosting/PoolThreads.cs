using System.Diagnostics.CodeAnalysis;
using Strata.Server.Runtime;

namespace Strata.Server.Hosting;

/// <summary>The threads of the runtime's pool. When it has work for one more, and the system gives no memory for that,
/// the runtime ends the process; so all that are needed are there from the start, and stay (ThreadsToKeepAlive in the
/// project file). None keeps a worker from its processor for long: a scrape takes longer than a client is to wait.
/// </summary>
internal static class PoolThreads
{
    /// <summary>Starts them, and waits until they have started.</summary>
    [SuppressMessage("Reliability", "CA2000", Justification = "Threads may look at it after the last has come.")]
    public static void Start()
    {
        ThreadPool.GetMinThreads(out var threads, out var ports);
        threads = Math.Max(threads, ServerLimits.PoolThreads);
        _ = ThreadPool.SetMinThreads(threads, ports);
        var missing = new CountdownEvent(threads);
        for (var i = 0; i < threads; i++)
        {
            _ = ThreadPool.UnsafeQueueUserWorkItem(
                static missing =>
                {
                    ThreadScheduling.ShortenTurns(ServerLimits.BackgroundTurnNs);
                    _ = missing.Signal();
                    missing.Wait();
                },
                missing,
                preferLocal: false);
        }

        missing.Wait();
    }
}
