using System.Runtime.InteropServices;

namespace Strata.Server.Network;

/// <summary>The C library's socket calls the data path makes; errno through <see
/// cref="Marshal.GetLastPInvokeError"/>. Sockets are set up by System.Net.Sockets; only their bytes pass here.</summary>
internal static unsafe partial class SocketCalls
{
    public const int MessageNoSignal = 0x4000;
    public const int AcceptNonBlock = 0x800;
    public const int AcceptCloexec = 0x80000;

    public const int TryAgain = 11;
    public const int Interrupted = 4;
    public const int TooManyFilesInProcess = 24;
    public const int TooManyFilesInSystem = 23;

    private const int TcpLevel = 6;
    private const int TcpNoDelay = 1;
    private const string Library = "libc";

    [LibraryImport(Library, EntryPoint = "recv", SetLastError = true)]
    public static partial nint Receive(int fd, byte* buffer, nuint length, int flags);

    [LibraryImport(Library, EntryPoint = "send", SetLastError = true)]
    public static partial nint Send(int fd, byte* buffer, nuint length, int flags);

    [LibraryImport(Library, EntryPoint = "accept4", SetLastError = true)]
    public static partial int Accept(int fd, byte* address, uint* addressLength, int flags);

    [LibraryImport(Library, EntryPoint = "getsockname", SetLastError = true)]
    public static partial int GetName(int fd, byte* address, uint* addressLength);

    [LibraryImport(Library, EntryPoint = "setsockopt", SetLastError = true)]
    public static partial int SetOption(int fd, int level, int name, int* value, uint length);

    /// <summary>Sends small replies at once instead of waiting for more.</summary>
    public static int SetNoDelay(int fd, int value) => SetOption(fd, TcpLevel, TcpNoDelay, &value, sizeof(int));

    [LibraryImport(Library, EntryPoint = "close", SetLastError = true)]
    public static partial int Close(int fd);
}
