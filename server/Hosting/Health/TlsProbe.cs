using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Text;

namespace Strata.Server.Hosting.Health;

/// <summary>
/// One PING by TLS. The check has no certificate, and asks the server for none that it could trust: a server that shows
/// one lives, and has every right not to let a stranger in.
/// </summary>
internal static class TlsProbe
{
    private const int MaxLineBytes = 1024;

    /// <summary>What a server says that asks for a certificate.</summary>
    public const string CertificateAsked = "its certificate, and asked for one";

    /// <summary>Asks.</summary>
    /// <param name="socket">A connection, which is taken over.</param>
    /// <param name="patienceMs">How long it may take, in milliseconds.</param>
    /// <returns>The reply's first line, or <see cref="CertificateAsked"/>; null when there was no answer.</returns>
    public static string? Ask(Socket socket, int patienceMs)
    {
        using var patience = new CancellationTokenSource(patienceMs);
        var isShown = false;
        try
        {
            return AskAsync(socket, () => isShown = true, patience.Token).GetAwaiter().GetResult();
        }
        catch (Exception error) when (error is IOException or AuthenticationException or OperationCanceledException)
        {
            return isShown && !patience.IsCancellationRequested ? CertificateAsked : null;
        }
    }

    private static async Task<string?> AskAsync(Socket socket, Func<bool> onCertificate, CancellationToken patience)
    {
        socket.Blocking = true;
        var stream = new SslStream(new NetworkStream(socket, ownsSocket: false));
        await using (stream.ConfigureAwait(false))
        {
            var options = new SslClientAuthenticationOptions
            {
                TargetHost = "localhost",
                RemoteCertificateValidationCallback = (_, certificate, _, _) => certificate != null && onCertificate(),
            };
            await stream.AuthenticateAsClientAsync(options, patience).ConfigureAwait(false);
            await stream.WriteAsync("*1\r\n$4\r\nPING\r\n"u8.ToArray(), patience).ConfigureAwait(false);
            using var reader = new StreamReader(stream, Encoding.Latin1, false, MaxLineBytes, leaveOpen: true);
            return await reader.ReadLineAsync(patience).ConfigureAwait(false)
                ?? throw new IOException("the server has closed the connection");
        }
    }
}
