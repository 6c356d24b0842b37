using System.Runtime.InteropServices;

namespace Strata.Server.Runtime;

/// <summary>CPU that a thread has used, as the kernel tells it (getrusage(2)).</summary>
/// <param name="User">In the process.</param>
/// <param name="System">In the kernel.</param>
public readonly unsafe partial record struct ThreadUsage(TimeSpan User, TimeSpan System)
{
    // RUSAGE_THREAD, and the two times (seconds and microseconds each) at the start of the kernel's 18 numbers.
    private const int Thread = 1;
    private const int Numbers = 18;

    /// <summary>That of the calling thread.</summary>
    public static ThreadUsage Now()
    {
        var numbers = stackalloc long[Numbers];
        return GetUsage(Thread, numbers) == 0
            ? new ThreadUsage(Time(numbers[0], numbers[1]), Time(numbers[2], numbers[3]))
            : new ThreadUsage(TimeSpan.Zero, TimeSpan.Zero); // No kernel that there is refuses.
    }

    private static TimeSpan Time(long seconds, long microseconds)
        => TimeSpan.FromSeconds(seconds) + TimeSpan.FromMicroseconds(microseconds);

    [LibraryImport("libc", EntryPoint = "getrusage")]
    private static partial int GetUsage(int who, long* numbers);
}
