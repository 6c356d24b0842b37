using System.Globalization;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Strata.Server.Lifecycle;
using Strata.Server.Options;

namespace Strata.Server.Hosting;

/// <summary>The file with the number of the process, <c>pidfile</c>: there while the server accepts clients. One that
/// cannot be written, or removed, is a warning, as in Redis.</summary>
/// <param name="store">Gives the path. A relative one starts from the working directory of the start, wherever that is
/// later.</param>
/// <param name="logger">Takes the warnings.</param>
internal sealed class PidFile(ConfigurationStore store, ILogger<PidFile> logger) : IHostedService, IDisposable
{
    private readonly string _text = Environment.ProcessId.ToString(CultureInfo.InvariantCulture) + "\n";
    private string _path = store.Current.PidFilePath;
    private bool _isWritten;

    /// <inheritdoc/>
    public Task StartAsync(CancellationToken cancellationToken)
    {
        try
        {
            _path = Path.GetFullPath(_path);
            File.WriteAllText(_path, _text);
            _isWritten = true;
        }
        catch (Exception error) when (FileError.Is(error) || error is ArgumentException)
        {
            HostingLog.Warning(
                logger,
                $"Failed to write PID file {_path}: {FileError.Reason(error)}. The server goes on without; name "
                + "another one with pidfile, or let the server's user write there.");
        }

        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    /// <remarks>It stays until the engine has stopped, too: see <see cref="Dispose"/>.</remarks>
    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Removes the file, unless another process has put its own in its place.</summary>
    public void Dispose()
    {
        if (!_isWritten)
        {
            return;
        }

        _isWritten = false;
        try
        {
            if (File.Exists(_path) && File.ReadAllText(_path) == _text)
            {
                File.Delete(_path);
            }
        }
        catch (Exception error) when (FileError.Is(error))
        {
            HostingLog.Warning(logger, $"Failed to remove PID file {_path}: {FileError.Reason(error)}. Remove it.");
        }
    }
}
