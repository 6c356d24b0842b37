using System.Runtime.InteropServices;
using Strata.Server.Options;

namespace Strata.Server.Hosting;

/// <summary>The directory of the process, <c>dir</c>.</summary>
internal static partial class WorkingDirectory
{
    /// <summary>Enters it at start.</summary>
    /// <exception cref="ConfigurationException">It cannot be entered.</exception>
    public static void Enter(string path)
    {
        if (TryEnter(path) is { } reason)
        {
            throw new ConfigurationException(
                $"Can't change to the directory of dir, {path}: {reason}. Make it, or name another one");
        }
    }

    /// <summary>Puts a new <c>dir</c> into effect: see <see cref="ApplyConfiguration"/>.</summary>
    public static string? Apply(ServerOptions previous, ServerOptions next)
        => next.StorageTier
            ? $"the data on disk lies in {previous.Directory}: with storage-tier, dir takes effect at start only"
            : TryEnter(next.Directory);

    /// <summary>Null, or why it cannot be entered. .NET says of a file that there is no such thing.</summary>
    private static string? TryEnter(string path)
        => Chdir(path) == 0 ? null : Marshal.GetPInvokeErrorMessage(Marshal.GetLastPInvokeError());

    [LibraryImport("libc", EntryPoint = "chdir", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Chdir(string path);
}
