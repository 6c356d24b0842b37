using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Console;
using Strata.Server.Lifecycle;
using Strata.Server.Options;

namespace Strata.Server.Hosting.Logging;

/// <summary>
/// Appends each line to the log file and closes it again, as Redis does, so that the file may be moved away at any
/// time. A line that the file system refuses goes to standard error.
/// </summary>
internal sealed class FileLoggerProvider : ILoggerProvider
{
    private readonly string _path;
    private readonly ConsoleFormatter _formatter;
    private readonly Lock _lock = new();

    /// <summary>Checks that the file can be appended to.</summary>
    /// <exception cref="ConfigurationException">It cannot.</exception>
    public FileLoggerProvider(string path, ConsoleFormatter formatter)
    {
        _path = Path.GetFullPath(path);
        _formatter = formatter;
        try
        {
            File.AppendAllText(_path, "");
        }
        catch (Exception error) when (FileError.Is(error))
        {
            throw new ConfigurationException(
                $"Can't open the log file {_path}: {FileError.Reason(error)}. "
                + "Set logfile to a file that this user may write");
        }
    }

    /// <inheritdoc/>
    public ILogger CreateLogger(string categoryName) => new FileLogger(categoryName, _formatter, Append);

    /// <inheritdoc/>
    public void Dispose()
    {
        // No file stays open.
    }

    private void Append(string line)
    {
        lock (_lock)
        {
            try
            {
                File.AppendAllText(_path, line);
            }
            catch (Exception error) when (FileError.Is(error))
            {
                _ = ProgramOutput.TryTellError($"{line.TrimEnd('\n')} (not in {_path}: {FileError.Reason(error)})");
            }
        }
    }
}
