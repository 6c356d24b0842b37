using Strata.Storage.Interop;

namespace Strata.Storage.Devices.Files;

/// <summary>The errno behind what .NET's file functions throw.</summary>
internal static class FileErrors
{
    /// <summary>Whether an exception tells of the file system, and not of a mistake in the program.</summary>
    public static bool IsFileError(Exception exception)
        => exception is IOException or UnauthorizedAccessException or NotSupportedException
            or ArgumentOutOfRangeException { ParamName: "value" };

    /// <summary>The errno; EIO where the exception hides it.</summary>
    public static int ToErrno(Exception exception) => exception switch
    {
        FileNotFoundException or DirectoryNotFoundException => Errno.NoEntry,
        PathTooLongException => Errno.NameTooLong,
        UnauthorizedAccessException { InnerException: IOException inner } => RawErrno(inner, Errno.AccessDenied),
        UnauthorizedAccessException => Errno.AccessDenied,
        ArgumentOutOfRangeException => Errno.FileTooLarge, // How .NET passes EFBIG on.
        IOException io => RawErrno(io, Errno.InputOutput),
        _ => Errno.InputOutput,
    };

    // On Unix the HResult of such an exception is the errno; a real HRESULT is negative.
    private static int RawErrno(IOException exception, int fallback)
        => exception.HResult is > 0 and < 4096 ? exception.HResult : fallback;
}
