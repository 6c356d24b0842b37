using System.ComponentModel;
using System.Numerics;
using System.Runtime.InteropServices;

namespace Strata.Bench.Kv;

/// <summary>Which processors a thread may run on (sched_setaffinity(2)).</summary>
internal static unsafe partial class CpuAffinity
{
    // The C library's cpu_set_t: 1024 processors.
    private const int MaskWords = 1024 / 64;
    private const int MaskBytes = MaskWords * sizeof(ulong);
    private const int ThisThread = 0;

    /// <summary>The processors that the calling thread may run on, in order.</summary>
    /// <exception cref="BenchException">The kernel does not say.</exception>
    public static IReadOnlyList<int> Allowed()
    {
        var mask = stackalloc ulong[MaskWords];
        ThrowIfFailed(GetAffinity(ThisThread, MaskBytes, mask), "sched_getaffinity");
        var processors = new List<int>();
        for (var word = 0; word < MaskWords; word++)
        {
            for (var rest = mask[word]; rest != 0; rest &= rest - 1)
            {
                processors.Add((word * 64) + BitOperations.TrailingZeroCount(rest));
            }
        }

        return processors;
    }

    /// <summary>Lets the calling thread run on one processor only.</summary>
    /// <exception cref="BenchException">The kernel refuses.</exception>
    public static void Pin(int processor)
    {
        var mask = stackalloc ulong[MaskWords];
        new Span<ulong>(mask, MaskWords).Clear();
        mask[processor / 64] = 1UL << (processor % 64);
        ThrowIfFailed(SetAffinity(ThisThread, MaskBytes, mask), "sched_setaffinity");
    }

    [LibraryImport("libc", EntryPoint = "sched_getaffinity", SetLastError = true)]
    private static partial int GetAffinity(int thread, nuint bytes, ulong* mask);

    [LibraryImport("libc", EntryPoint = "sched_setaffinity", SetLastError = true)]
    private static partial int SetAffinity(int thread, nuint bytes, ulong* mask);

    private static void ThrowIfFailed(int result, string call)
    {
        if (result < 0)
        {
            var error = Marshal.GetLastPInvokeError();
            throw new BenchException($"{call} failed: {new Win32Exception(error).Message} (errno {error}).");
        }
    }
}
