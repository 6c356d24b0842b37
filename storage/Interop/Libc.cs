using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Strata.Storage.Interop;

/// <summary>The C library's calls the program makes, as they are: results and errno are the caller's to read
/// (<see cref="Marshal.GetLastPInvokeError"/>).</summary>
internal static unsafe partial class Libc
{
    public const int ProtRead = 1;
    public const int ProtWrite = 2;
    public const int MapPrivate = 0x02;
    public const int MapAnonymous = 0x20;
    public const int MapFixed = 0x10;
    public const int MapNoReserve = 0x4000;
    public const int MremapMayMove = 1;
    public const int MremapFixed = 2;
    public const int MremapDontUnmap = 4;
    public const int MadviseDontNeed = 4;
    public const int MadviseHugePage = 14;
    public const int MadviseNoHugePage = 15;
    public const int MadvisePopulateWrite = 23;

    public const int EpollCtlAdd = 1;
    public const int EpollCtlDel = 2;
    public const int EpollCtlMod = 3;
    public const int EpollCloexec = 0x80000;
    public const int EventFdCloexec = 0x80000;
    public const int EventFdNonBlock = 0x800;

    public const int OpenReadOnly = 0;
    public const int OpenReadWrite = 2;
    public const int OpenCreate = 0x40;
    public const int OpenNonBlock = 0x800;
    public const int OpenCloexec = 0x80000;
    public const int StatEmptyPath = 0x1000;
    public const uint StatType = 1;
    public const int LockAlone = 2;
    public const int LockAtOnce = 4;

    public const int ClockMonotonic = 1;
    public const int TimerFdCloexec = 0x80000;
    public const int TimerFdNonBlock = 0x800;
    public const int TimerFdAbsoluteTime = 1;
    public const short PollIn = 1;

    /// <summary>M_MMAP_THRESHOLD.</summary>
    public const int MallocMapThreshold = -3;

    private const string Library = "libc";

    [LibraryImport(Library, EntryPoint = "mmap", SetLastError = true)]
    public static partial nint Mmap(nint address, nuint length, int protection, int flags, int fd, nint offset);

    /// <summary>The address to go to counts with <see cref="MremapFixed"/> only. Without variable arguments, as which
    /// the library has it: all arguments are words, which go the same way.</summary>
    [LibraryImport(Library, EntryPoint = "mremap", SetLastError = true)]
    public static partial nint Mremap(nint address, nuint length, nuint newLength, int flags, nint newAddress);

    [LibraryImport(Library, EntryPoint = "munmap", SetLastError = true)]
    public static partial int Munmap(nint address, nuint length);

    [LibraryImport(Library, EntryPoint = "madvise", SetLastError = true)]
    public static partial int Madvise(nint address, nuint length, int advice);

    [LibraryImport(Library, EntryPoint = "mallinfo2")]
    public static partial HeapInfo MallocInfo();

    [LibraryImport(Library, EntryPoint = "mallopt")]
    public static partial int MallocOption(int option, int value);

    [LibraryImport(Library, EntryPoint = "malloc_trim")]
    public static partial int MallocTrim(nuint pad);

    [LibraryImport(Library, EntryPoint = "nanosleep")]
    public static partial int NanoSleep(long* time, long* rest);

    [LibraryImport(Library, EntryPoint = "epoll_create1", SetLastError = true)]
    public static partial int EpollCreate(int flags);

    [LibraryImport(Library, EntryPoint = "epoll_ctl", SetLastError = true)]
    public static partial int EpollControl(int epoll, int operation, int fd, byte* e);

    [LibraryImport(Library, EntryPoint = "epoll_wait", SetLastError = true)]
    public static partial int EpollWait(int epoll, byte* events, int maxEvents, int timeoutMs);

    [LibraryImport(Library, EntryPoint = "eventfd", SetLastError = true)]
    public static partial int EventFd(uint initial, int flags);

    [LibraryImport(Library, EntryPoint = "timerfd_create", SetLastError = true)]
    public static partial int TimerFdCreate(int clock, int flags);

    /// <summary>Sets a timer; <paramref name="times"/> are seconds and nanoseconds of its interval, then of its first
    /// expiry.</summary>
    [LibraryImport(Library, EntryPoint = "timerfd_settime", SetLastError = true)]
    public static partial int TimerFdSetTime(int fd, int flags, long* times, long* oldTimes);

    [LibraryImport(Library, EntryPoint = "poll", SetLastError = true)]
    public static partial int Poll(PollDescriptor* descriptors, nuint count, int timeoutMs);

    [LibraryImport(Library, EntryPoint = "read", SetLastError = true)]
    public static partial nint Read(int fd, void* buffer, nuint count);

    [LibraryImport(Library, EntryPoint = "write", SetLastError = true)]
    public static partial nint Write(int fd, void* buffer, nuint count);

    [LibraryImport(Library, EntryPoint = "getrandom", SetLastError = true)]
    public static partial nint GetRandom(void* buffer, nuint length, uint flags);

    /// <summary>Without variable arguments, as <see cref="Mremap"/>.</summary>
    [LibraryImport(Library, EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Open(string path, int flags, uint mode);

    [LibraryImport(Library, EntryPoint = "statx", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Stat(SafeFileHandle folder, string path, int flags, uint mask, FileStatus* status);

    [LibraryImport(Library, EntryPoint = "flock", SetLastError = true)]
    public static partial int Lock(SafeFileHandle file, int operation);

    [LibraryImport(Library, EntryPoint = "close", SetLastError = true)]
    public static partial int Close(int fd);
}
