using System.Runtime.InteropServices;

namespace Strata.Server.Runtime;

/// <summary>How far a thread lets others run before it, where processors are few (nice(1), setpriority(2)). The runtime
/// does not tell the kernel of its own priorities.</summary>
internal static partial class ThreadNiceness
{
    private const int Process = 0; // PRIO_PROCESS: of Linux's threads each is one.
    private const int Caller = 0;

    /// <summary>Puts the calling thread behind others.</summary>
    /// <param name="nice">1 to 19, the last the farthest.</param>
    public static void Raise(int nice) => _ = SetPriority(Process, Caller, nice); // To be nicer is never refused.

    [LibraryImport("libc", EntryPoint = "setpriority")]
    private static partial int SetPriority(int which, int who, int priority);
}
