using System.Runtime.InteropServices;
using System.Text;
using Strata.Server.Network.Transport.Tls.Native;
using Strata.Server.Options;

namespace Strata.Server.Network.Transport.Tls;

/// <summary>What connections are made from: a certificate, whose clients are let in, protocols and ciphers. It never
/// changes: other settings make another. Freed when nobody has it any more. Any thread.</summary>
internal sealed unsafe class TlsContext
{
    private readonly nint _context;

    private TlsContext(nint context)
    {
        _context = context;
        Expiry = DateTimeOffset.FromUnixTimeSeconds(TlsLibrary.ExpiryOfContext(context));
    }

    /// <summary>Frees it.</summary>
    ~TlsContext() => TlsLibrary.CloseContext(_context);

    /// <summary>When the server's certificate expires.</summary>
    public DateTimeOffset Expiry { get; }

    /// <summary>Reads the files that the options name.</summary>
    /// <param name="options">The options.</param>
    /// <param name="problem">What is wrong with them: a whole sentence.</param>
    /// <returns>Null when something is.</returns>
    public static TlsContext? Open(ServerOptions options, out string problem)
    {
        problem = TlsLibraryLoader.Problem ?? ProblemOf(options);
        if (!TlsProtocolsParser.TryParse(options.TlsProtocols, out var protocols) && problem.Length == 0)
        {
            problem = "Invalid tls-protocols specified. Use a combination of 'TLSv1', 'TLSv1.1', 'TLSv1.2' and "
                + "'TLSv1.3'.";
        }

        if (problem.Length > 0)
        {
            return null;
        }

        var texts = new Utf8Texts();
        var settings = new NativeTlsSettings
        {
            CertificateFile = texts.Add(options.TlsCertFile),
            KeyFile = texts.Add(options.TlsKeyFile),
            KeyPassword = texts.Add(options.TlsKeyFilePass),
            AuthoritiesFile = texts.Add(options.TlsCaCertFile),
            AuthoritiesFolder = texts.Add(options.TlsCaCertDir),
            ParametersFile = texts.Add(options.TlsDhParamsFile),
            Ciphers = texts.Add(options.TlsCiphers),
            Ciphersuites = texts.Add(options.TlsCiphersuites),
            Protocols = (int)protocols,
            Clients = (int)options.TlsAuthClients,
            PrefersOwnCiphers = options.TlsPreferServerCiphers ? 1 : 0,
            GivesTickets = options.TlsSessionCaching ? 1 : 0,
            TicketSeconds = options.TlsSessionCacheTimeoutSeconds,
        };
        nint context;
        NativeTlsProblem found;
        var status = TlsLibrary.OpenContext(&settings, &context, &found);
        texts.Free();
        if (status != TlsStatus.Ok)
        {
            problem = Explain(options, found.Setting, Marshal.PtrToStringUTF8((nint)found.Text) ?? "");
            return null;
        }

        return new TlsContext(context);
    }

    /// <summary>Makes the server's end of a connection.</summary>
    /// <param name="engine">The engine of its thread.</param>
    /// <param name="socket">The socket, which stays the caller's.</param>
    /// <returns>Null when the system gives no memory.</returns>
    public TlsConnection? Connect(TlsEngine engine, int socket)
    {
        nint connection;
        NativeTlsState* state;
        var status = TlsLibrary.Open(engine.Handle, _context, socket, &connection, &state);
        GC.KeepAlive(this);
        return status == TlsStatus.Ok ? new TlsConnection(connection, state, socket) : null;
    }

    /// <summary>What Redis asks of the configuration, too.</summary>
    private static string ProblemOf(ServerOptions options)
    {
        var knowsNobody = options.TlsCaCertFile.Length + options.TlsCaCertDir.Length == 0;
        return options.TlsCertFile.Length == 0 ? "No tls-cert-file configured!"
            : options.TlsKeyFile.Length == 0 ? "No tls-key-file configured!"
            : options.TlsAuthClients != TlsClientCheck.No && knowsNobody
                ? "Either tls-ca-cert-file or tls-ca-cert-dir must be specified when tls-cluster, tls-replication or "
                    + "tls-auth-clients are enabled!"
                : "";
    }

    private static string Explain(ServerOptions options, TlsProblem setting, string reason) => setting switch
    {
        TlsProblem.Certificate => $"Failed to load certificate: {options.TlsCertFile}: {reason}",
        TlsProblem.Key => $"Failed to load private key: {options.TlsKeyFile}: {reason}",
        TlsProblem.Authorities => $"Failed to configure CA certificate(s) file/directory: {reason}",
        TlsProblem.Ciphers => $"Failed to configure ciphers: {options.TlsCiphers}",
        TlsProblem.Ciphersuites => $"Failed to configure ciphersuites: {options.TlsCiphersuites}",
        TlsProblem.Parameters => $"Failed to load DH params file: {options.TlsDhParamsFile}: {reason}",
        _ => $"OpenSSL cannot be used: {reason}",
    };

    /// <summary>Texts for the time of a call.</summary>
    private sealed class Utf8Texts
    {
        private readonly List<nint> _texts = [];

        /// <summary>Adds a text.</summary>
        /// <returns>Its bytes with a zero behind them; null for an empty one.</returns>
        public byte* Add(string text)
        {
            if (text.Length == 0)
            {
                return null;
            }

            var bytes = Encoding.UTF8.GetBytes(text + '\0');
            var copy = (byte*)NativeMemory.Alloc((nuint)bytes.Length);
            bytes.CopyTo(new Span<byte>(copy, bytes.Length));
            _texts.Add((nint)copy);
            return copy;
        }

        public void Free() => _texts.ForEach(static text => NativeMemory.Free((void*)text));
    }
}
