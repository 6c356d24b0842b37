using System.Runtime.InteropServices;

namespace Strata.Server.Network;

/// <summary>The C library's calls on sockets; errno through <see cref="Marshal.GetLastPInvokeError"/>. Listening
/// sockets are opened by System.Net.Sockets.</summary>
internal static unsafe partial class SocketCalls
{
    public const int MessageNoSignal = 0x4000;
    public const int AcceptNonBlock = 0x800;
    public const int AcceptCloexec = 0x80000;

    public const int TryAgain = 11;
    public const int Interrupted = 4;
    public const int TooManyFilesInProcess = 24;
    public const int TooManyFilesInSystem = 23;

    /// <summary>For <see cref="Shutdown"/>: nothing more is sent.</summary>
    public const int ShutdownWrite = 1;

    /// <summary>For <see cref="Control"/>: bytes sent that the peer has not acknowledged (SIOCOUTQ).</summary>
    public const nuint OutputQueue = 0x5411;

    /// <summary>For <see cref="Control"/>: bytes that wait to be received (FIONREAD).</summary>
    public const nuint InputQueue = 0x541b;

    private const int SocketLevel = 1;
    private const int KeepAlive = 9;
    private const int TcpLevel = 6;
    private const int TcpNoDelay = 1;
    private const int TcpKeepIdle = 4;
    private const int TcpKeepInterval = 5;
    private const int TcpKeepCount = 6;
    private const int KeepAliveProbes = 3;
    private const string Library = "libc";

    [LibraryImport(Library, EntryPoint = "recv", SetLastError = true)]
    public static partial nint Receive(int fd, byte* buffer, nuint length, int flags);

    [LibraryImport(Library, EntryPoint = "send", SetLastError = true)]
    public static partial nint Send(int fd, byte* buffer, nuint length, int flags);

    [LibraryImport(Library, EntryPoint = "sendmsg", SetLastError = true)]
    public static partial nint Send(int fd, MessageHeader* message, int flags);

    [LibraryImport(Library, EntryPoint = "accept4", SetLastError = true)]
    public static partial int Accept(int fd, byte* address, uint* addressLength, int flags);

    [LibraryImport(Library, EntryPoint = "getsockname", SetLastError = true)]
    public static partial int GetName(int fd, byte* address, uint* addressLength);

    [LibraryImport(Library, EntryPoint = "setsockopt", SetLastError = true)]
    public static partial int SetOption(int fd, int level, int name, int* value, uint length);

    /// <summary>Sends small replies at once instead of waiting for more.</summary>
    public static int SetNoDelay(int fd, int value) => SetOption(fd, TcpLevel, TcpNoDelay, &value, sizeof(int));

    /// <summary>Has the kernel probe a silent peer after <paramref name="seconds"/>; when it answers none of three
    /// probes within as long again, the connection breaks.</summary>
    /// <returns>0, or -1 with errno.</returns>
    public static int SetKeepAlive(int fd, int seconds)
    {
        var on = 1;
        var intervalSeconds = Math.Max(1, seconds / KeepAliveProbes);
        var probes = KeepAliveProbes;
        return SetOption(fd, SocketLevel, KeepAlive, &on, sizeof(int))
            | SetOption(fd, TcpLevel, TcpKeepIdle, &seconds, sizeof(int))
            | SetOption(fd, TcpLevel, TcpKeepInterval, &intervalSeconds, sizeof(int))
            | SetOption(fd, TcpLevel, TcpKeepCount, &probes, sizeof(int));
    }

    [LibraryImport(Library, EntryPoint = "shutdown", SetLastError = true)]
    public static partial int Shutdown(int fd, int how);

    [LibraryImport(Library, EntryPoint = "ioctl", SetLastError = true)]
    public static partial int Control(int fd, nuint request, int* value);

    [LibraryImport(Library, EntryPoint = "close", SetLastError = true)]
    public static partial int Close(int fd);
}
