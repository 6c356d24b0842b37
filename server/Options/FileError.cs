using System.Runtime.InteropServices;

namespace Strata.Server.Options;

/// <summary>Why a file could not be used, in the operating system's short words, as Redis says it.</summary>
public static class FileError
{
    /// <summary>
    /// Whether an exception is one that a file operation throws when the operating system refuses it.
    /// </summary>
    public static bool Is(Exception error) => error is IOException or UnauthorizedAccessException;

    /// <summary>The reason, such as <c>Permission denied</c>.</summary>
    public static string Reason(Exception error) => error switch
    {
        UnauthorizedAccessException { InnerException: null } => "Is a directory",
        UnauthorizedAccessException => "Permission denied",
        FileNotFoundException or DirectoryNotFoundException => "No such file or directory",

        // .NET puts the errno there when it has no exception type of its own for it.
        IOException { HResult: > 0 } => Marshal.GetPInvokeErrorMessage(error.HResult),
        _ => error.Message,
    };
}
