namespace Strata.Tests.Support;

/// <summary>The most memory that a server has while something is done, as the system sees it.</summary>
internal static class ResidentPeak
{
    private const int PeekMs = 5;

    /// <summary>Looks at the server's memory again and again.</summary>
    /// <returns>The most it had, bytes.</returns>
    public static long Of(ServerProcess server, Action action)
    {
        var isDone = false;
        var peak = 0L;
        var watch = Task.Factory.StartNew(
            () =>
            {
                while (!Volatile.Read(ref isDone))
                {
                    peak = Math.Max(peak, server.ResidentBytes());
                    Thread.Sleep(PeekMs);
                }
            },
            TaskCreationOptions.LongRunning);
        try
        {
            action();
        }
        finally
        {
            Volatile.Write(ref isDone, true);
            watch.Wait();
        }

        return Math.Max(peak, server.ResidentBytes());
    }
}
