using Strata.Server.Options;

namespace Strata.Server.Hosting;

/// <summary>The directory of the process, <c>dir</c>.</summary>
internal static class WorkingDirectory
{
    /// <summary>Enters it at start.</summary>
    /// <exception cref="ConfigurationException">It cannot be entered.</exception>
    public static void Enter(string path)
    {
        if (TryEnter(path) is { } reason)
        {
            throw new ConfigurationException($"Can't change to the directory of dir, {path}: {reason}");
        }
    }

    /// <summary>Puts a new <c>dir</c> into effect: see <see cref="ApplyConfiguration"/>.</summary>
    public static string? Apply(ServerOptions previous, ServerOptions next)
        => next.StorageTier
            ? $"the data on disk lies in {previous.Directory}: with storage-tier, dir takes effect at start only"
            : TryEnter(next.Directory);

    /// <summary>Null, or why it cannot be entered.</summary>
    private static string? TryEnter(string path)
    {
        try
        {
            Directory.SetCurrentDirectory(path);
            return null;
        }
        catch (Exception error) when (FileError.Is(error))
        {
            return FileError.Reason(error);
        }
    }
}
