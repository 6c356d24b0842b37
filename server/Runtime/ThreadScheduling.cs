using System.Runtime.InteropServices;

namespace Strata.Server.Runtime;

/// <summary>How a thread shares a processor with others, where these are few (sched(7)). The runtime does not tell the
/// kernel of its own priorities. What a kernel refuses or does not know changes nothing: the thread works all the same.
/// </summary>
internal static unsafe partial class ThreadScheduling
{
    private const int Process = 0; // PRIO_PROCESS: of Linux's threads each is one.
    private const int Caller = 0;

    /// <summary>Puts the calling thread behind others (nice(1), setpriority(2)).</summary>
    /// <param name="nice">1 to 19, the last the farthest.</param>
    public static void BeNicer(int nice) => _ = SetPriority(Process, Caller, nice); // That is never refused.

    /// <summary>Has the calling thread let others run after a shorter time than is usual (some milliseconds), with no
    /// less of the processor in all: who wakes up meanwhile waits for less (Linux 6.12, sched_setattr(2)).</summary>
    /// <param name="ns">Nanoseconds; 100,000 is the least that Linux takes.</param>
    public static void ShortenTurns(ulong ns)
    {
        var (get, set) = RuntimeInformation.ProcessArchitecture switch
        {
            Architecture.X64 => (315, 314),
            Architecture.Arm64 => (275, 274),
            _ => (0, 0),
        };
        SchedulingAttributes attributes = default;
        var size = (uint)sizeof(SchedulingAttributes);
        if (get == 0 || GetAttributes(get, Caller, &attributes, size, flags: 0) != 0
            || attributes.Policy != SchedulingAttributes.Other)
        {
            return; // Whoever has given it another policy knows why.
        }

        attributes.RuntimeNs = ns;
        _ = SetAttributes(set, Caller, &attributes, flags: 0);
    }

    [LibraryImport("libc", EntryPoint = "setpriority")]
    private static partial int SetPriority(int which, int who, int priority);

    [LibraryImport("libc", EntryPoint = "syscall")]
    private static partial nint GetAttributes(
        nint number, nint thread, SchedulingAttributes* attributes, nuint bytes, nuint flags);

    [LibraryImport("libc", EntryPoint = "syscall")]
    private static partial nint SetAttributes(
        nint number, nint thread, SchedulingAttributes* attributes, nuint flags);

    /// <summary>struct sched_attr, as it was first.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct SchedulingAttributes
    {
        /// <summary>SCHED_OTHER.</summary>
        public const uint Other = 0;

        public uint Bytes;
        public uint Policy;
        public ulong Flags;
        public int Nice;
        public uint Priority;
        public ulong RuntimeNs;
        public ulong DeadlineNs;
        public ulong PeriodNs;
    }
}
