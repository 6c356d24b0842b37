using Strata.Server.Lifecycle;
using Strata.Server.Options;
using Strata.Server.Runtime;

namespace Strata.Server.Network.Transport.Tls;

/// <summary>TLS of the whole server: what connections are made from now. Any thread.</summary>
/// <param name="server">The server.</param>
internal sealed class TlsServer(ServerContext server) : IDisposable
{
    private volatile TlsContext? _context;
    private long _nextLookMs;

    /// <summary>What new connections are made from; null where the server does not speak TLS.</summary>
    public TlsContext? Context => _context;

    /// <summary>The handshakes of its clients.</summary>
    public TlsHandshakes Handshakes { get; } = new(server);

    private ServerLog Log => server.Log;

    /// <summary>Reads certificates, keys and all that belongs to them at start.</summary>
    /// <exception cref="StartupException">Something is wrong with them; the text says what.</exception>
    public void Open(ServerOptions options)
    {
        if (options.TlsPort != 0)
        {
            _context = TryOpen(options, out var problem)
                ?? throw new StartupException(ExitCode.Configuration, $"Failed to configure TLS: {problem}");
            Log.TlsConfigured(_context.Expiry);
        }
    }

    /// <summary>Warns once a day of a certificate that has expired, or soon will; on the first worker.</summary>
    public void OnTick(long nowMs)
    {
        if (_context is { } context && nowMs >= _nextLookMs)
        {
            _nextLookMs = nowMs + (long)TimeSpan.FromDays(1).TotalMilliseconds;
            var left = context.Expiry - DateTimeOffset.FromUnixTimeMilliseconds(nowMs);
            if (left.TotalDays < ServerLimits.CertificateWarningDays)
            {
                Log.CertificateExpires(context.Expiry);
            }
        }
    }

    /// <summary>Puts new settings into effect for the connections to come: see <see cref="ApplyConfiguration"/>.
    /// </summary>
    public string? Change(ServerOptions next)
    {
        if (next.TlsPort == 0)
        {
            return null;
        }

        var problem = ProblemOfFiles(next);
        var context = problem.Length > 0 ? null : TryOpen(next, out problem);
        if (context == null)
        {
            Log.CannotConfigureTls(problem);
            return "Unable to update TLS configuration. Check server logs.";
        }

        _context = context;
        Volatile.Write(ref _nextLookMs, 0);
        Log.TlsConfigured(context.Expiry);
        return null;
    }

    /// <inheritdoc/>
    public void Dispose() => Handshakes.Dispose();

    /// <summary>Reads the files, and starts what makes handshakes.</summary>
    private TlsContext? TryOpen(ServerOptions options, out string problem)
    {
        var context = TlsContext.Open(options, out problem);
        try
        {
            if (context != null)
            {
                Handshakes.Start();
            }

            return context;
        }
        catch (Exception exception) when (exception is IOException or OutOfMemoryException)
        {
            problem = exception.Message;
            return null;
        }
    }

    /// <summary>What is a pipe or a device, which have no length, might never end to be read, and clients wait.
    /// </summary>
    private static string ProblemOfFiles(ServerOptions options)
    {
        string[] paths =
            [options.TlsCertFile, options.TlsKeyFile, options.TlsCaCertFile, options.TlsDhParamsFile];
        var wrong = Array.Find(paths, static path => File.Exists(path) && new FileInfo(path).Length == 0);
        return wrong == null ? "" : $"{wrong} is empty, or no file";
    }
}
