using Strata.Server.Journal.Files;
using Strata.Server.Options;
using Strata.Storage.Runtime;

namespace Strata.Server.Journal;

/// <summary>The folder that the configuration names for the journal (<c>appenddirname</c> in <c>dir</c>), kept from
/// other servers since it was first used. Any thread.</summary>
/// <param name="platform">Where random numbers come from.</param>
internal sealed class JournalFolder(Platform platform) : IDisposable
{
    private readonly Lock _lock = new();
    private PathLock? _held;

    /// <summary>Where it lies.</summary>
    public static string PathOf(ServerOptions options) => Path.Combine(options.Directory, options.AppendDirName);

    /// <summary>The files there; nothing is looked at yet.</summary>
    public JournalFiles FilesOf(ServerOptions options)
        => new(
            new DiskFolder(options.Directory),
            new DiskFolder(PathOf(options)),
            options.AppendFileName,
            platform);

    /// <summary>Keeps other servers from the folder, which is made if it does not exist, from here on.</summary>
    /// <exception cref="IOException">Another uses it.</exception>
    /// <exception cref="JournalException">It cannot be made.</exception>
    public void Lock(ServerOptions options)
    {
        var path = Path.GetFullPath(PathOf(options));
        lock (_lock)
        {
            if (_held?.Path != path || !_held.IsInPlace)
            {
                new DiskFolder(path).Make().ThrowIfError();
                _held?.Dispose();
                _held = null;
                _held = PathLock.OfFolder(path);
            }
        }
    }

    /// <summary>The files there, for a journal that begins or is to be rewritten: the folder is made and locked, and
    /// what was there is listed.</summary>
    /// <exception cref="IOException">They are not as they must be, or the disk refuses them.</exception>
    public JournalFiles Take(ServerOptions options)
    {
        try
        {
            Lock(options);
            var files = FilesOf(options);
            _ = files.Load(takesOver: false);
            files.Make().ThrowIfError();
            return files;
        }
        catch (JournalException exception)
        {
            throw new IOException(exception.Message, exception);
        }
    }

    /// <summary>Looks whether a journal can begin by another configuration, where none is written: whether its folder
    /// is as it must be, nobody else's, and files can be made there. Does not wait for the disk.</summary>
    /// <returns>Why it cannot; null where it can.</returns>
    public string? ReasonNotToBegin(ServerOptions options)
    {
        try
        {
            var files = FilesOf(options);
            var path = PathOf(options);
            if (Path.Exists(path))
            {
                Lock(options);
                _ = files.Load(takesOver: false);
            }
            else
            {
                path = options.Directory; // To make it takes as long as the disk likes.
            }

            new DiskFolder(path).Probe(files.ProbeName).ThrowAsIOException();
            return null;
        }
        catch (Exception exception) when (exception is JournalException or IOException)
        {
            return exception.Message;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _held?.Dispose();
}
