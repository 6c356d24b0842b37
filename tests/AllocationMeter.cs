using NUnit.Framework;

namespace Strata.Tests;

/// <summary>Finds out what steady work allocates. The runtime now and then allocates on a thread that works (code
/// compiled anew, a stub bound), more so on a busy machine; what the work itself allocates, every round does. So the
/// best of several rounds counts.</summary>
internal static class AllocationMeter
{
    private const int Rounds = 20;

    /// <summary>The fewest bytes that a round allocated; stops at a round with no more than <paramref name="enough"/>.
    /// </summary>
    /// <param name="work">One round; the same work each time.</param>
    /// <param name="allocated">Bytes allocated so far by the thread that does the work.</param>
    /// <param name="enough">Bytes that are as good as none.</param>
    public static long LeastOf(Action work, Func<long> allocated, long enough = 0)
    {
        var least = long.MaxValue;
        for (var round = 0; round < Rounds && least > enough; round++)
        {
            var before = allocated();
            work();
            least = Math.Min(least, allocated() - before);
        }

        TestContext.Out.WriteLine($"The best round allocated {least} bytes.");
        return least;
    }

    /// <summary>The same for work on this thread.</summary>
    public static long LeastOf(Action work, long enough = 0)
        => LeastOf(work, GC.GetAllocatedBytesForCurrentThread, enough);
}
