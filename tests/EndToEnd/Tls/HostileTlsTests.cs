using System.Globalization;
using System.Net.Security;
using System.Net.Sockets;
using System.Reflection;
using System.Security.Authentication;
using System.Text;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Tls;

/// <summary>What comes to the port of TLS and is no TLS, or no friend: it costs that connection alone.</summary>
internal sealed class HostileTlsTests
{
    private TlsServerProcess _server = null!;

    [OneTimeSetUp]
    public void Start() => _server = new TlsServerProcess(
        ServerKind.Strata, "--workers", "1", "--enable-debug-command", "yes");

    [OneTimeTearDown]
    public void Stop() => _server.Dispose();

    [TearDown]
    public void The_server_serves_on() => Assert.That(_server.Serves(), _server.Process.Output);

    [Test]
    public void Commands_without_a_handshake_are_not_executed()
    {
        using var socket = _server.ConnectPlain();
        socket.Send("SET plain text\r\n"u8);
        Assert.That(ReadToEnd(socket), Does.Not.Contain("+OK"));
        using var client = _server.Process.Connect();
        Assert.That(client.Call("EXISTS", "plain").Text, Is.EqualTo("0"));
    }

    [Test]
    public void Renegotiation_is_refused()
    {
        var output = _server.OpenSsl("R\\n", "-tls1_2");
        Assert.That(output, Does.Contain("RENEGOTIATING").And.Contain("no renegotiation"));
    }

    [TestCase(SslProtocols.Tls12)]
    [TestCase(SslProtocols.Tls13)]
    public void A_handshake_cut_anywhere_leaves_nothing_behind(SslProtocols protocol)
    {
        var before = Clients();
        var whole = 0;
        for (var cut = 1; cut < 40; cut++)
        {
            using var socket = _server.ConnectPlain();
            using var stream = new SslStream(new CutStream(new NetworkStream(socket), cut * 37));
            whole += ShakesHands(stream, protocol) ? 1 : 0;
        }

        Assert.That(whole, Is.InRange(1, 38), "some are cut, and some are not");

        Await(() => Clients() == before && Field("tls_handshakes_under_way") == 0);
    }

    /// <summary>OpenSSL takes memory for all of a record when its first byte comes, and a client need send no more.
    /// </summary>
    [Test]
    public void While_memory_is_short_the_start_of_a_record_stays_with_the_socket()
    {
        const int Streams = 100;
        const int Missing = 384;
        var record = new byte[5 + 16_384];
        new byte[] { 23, 3, 3, 0x40, 0 }.CopyTo(record, 0);
        using var client = _server.Process.Connect();
        var streams = Enumerable.Range(0, Streams).Select(_ => _server.Connect()).ToArray();
        MakeMemoryShort(client);
        var before = Field("used_memory", "memory");
        Array.ForEach(streams, stream => BelowOf(stream).Write(record, 0, record.Length - Missing));
        Assert.That(_server.Serves());
        Assert.That(Field("used_memory", "memory") - before, Is.LessThan(Streams * 8192));

        Array.ForEach(streams, stream => BelowOf(stream).Write(record, record.Length - Missing, Missing));
        foreach (var stream in streams)
        {
            Assert.That(HasEnded(stream));
            stream.Dispose();
        }

        GiveMemory(client);
    }

    /// <summary>Each connection takes memory of OpenSSL's as long as it is there.</summary>
    [Test]
    public void At_the_end_of_memory_no_more_clients_are_taken()
    {
        const int MostClients = 2000;
        using var client = _server.Process.Connect();
        Assert.That(client.Call("CONFIG", "SET", "maxmemory", "20mb").Text, Is.EqualTo("OK"));
        var sockets = new List<SslStream>();
        while (sockets.Count < MostClients && TryConnect() is { } stream)
        {
            sockets.Add(stream);
        }

        Assert.That(sockets, Has.Count.InRange(100, MostClients - 1));
        Assert.That(Field("used_memory", "memory"), Is.LessThan(32 << 20));
        Assert.That(TlsServerProcess.Call(sockets[0], "PING\r\n", 7), Is.EqualTo("+PONG\r\n"));
        sockets.ForEach(stream => stream.Dispose());
        Await(() => _server.Serves());
        Assert.That(client.Call("CONFIG", "SET", "maxmemory", "0").Text, Is.EqualTo("OK"));
    }

    [Test]
    public void While_memory_is_short_records_in_two_parts_are_answered()
    {
        using var client = _server.Process.Connect();
        MakeMemoryShort(client);
        using var socket = _server.ConnectPlain();
        using var stream = new SslStream(new SplitStream(new NetworkStream(socket)));
        Assert.That(ShakesHands(stream, SslProtocols.None));
        for (var i = 0; i < 5; i++)
        {
            Assert.That(TlsServerProcess.Call(stream, "PING\r\n", 7), Is.EqualTo("+PONG\r\n"));
        }

        GiveMemory(client);
        Assert.That(TlsServerProcess.Call(stream, "PING\r\n", 7), Is.EqualTo("+PONG\r\n"));
    }

    [Test]
    public void Records_of_any_bytes_end_that_connection()
    {
        var seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        var until = Environment.TickCount64 + 3000;
        var buffer = new byte[20_000];
        while (Environment.TickCount64 < until)
        {
            using var socket = _server.ConnectPlain();
            if (random.Next(3) == 0)
            {
                using var stream = _server.Connect();
                _ = TlsServerProcess.Call(stream, "PING\r\n", 7);
                Damage(stream, random, buffer);
            }

            Fill(buffer, random);
            _ = TrySend(socket, buffer.AsSpan(0, random.Next(1, buffer.Length)));
        }
    }

    [TestCase(SslProtocols.Tls12)]
    [TestCase(SslProtocols.Tls13)]
    public async Task Who_has_said_that_no_more_comes_is_answered_still(SslProtocols protocol)
    {
        await using var stream = _server.Connect(protocol);
        await stream.WriteAsync("PING\r\n"u8.ToArray()).ConfigureAwait(false);
        await stream.ShutdownAsync().ConfigureAwait(false);
        using var reader = new StreamReader(stream);
        Assert.That(await reader.ReadToEndAsync().ConfigureAwait(false), Is.EqualTo("+PONG\r\n"));
    }

    [TestCase(3, true)]
    [TestCase(60, false)]
    public void Keys_that_change_again_and_again_end_that_connection(int changes, bool isServed)
    {
        using var client = _server.Process.Connect();
        var before = Field("tls_handshakes");
        var sign = Path.Combine(_server.Certificates.Folder, $"sign{changes}");
        var writer = $"while [ ! -e {sign} ]; do sleep 0.05; done; for i in $(seq {changes}); do echo K; sleep 0.01; "
            + "done; sleep 3; echo PING; sleep 1";
        var output = Task.Run(() => _server.OpenSslOver(writer, "-tls1_3"));
        Await(() => Field("tls_handshakes") > before);
        client.Send("DEBUG", "SLEEP", "3"); // What comes meanwhile is received at once.
        File.WriteAllText(sign, "");
        Assert.That(client.ReadReply().Text, Is.EqualTo("OK"));
        Assert.That(output.Result, Does.Contain("KEYUPDATE"));
        Assert.That(output.Result.Contains("+PONG", StringComparison.Ordinal), Is.EqualTo(isServed), output.Result);
    }

    [TestCase("tls-cert-file")]
    [TestCase("tls-key-file")]
    [TestCase("tls-ca-cert-file")]
    [TestCase("tls-dh-params-file")]
    public void A_file_without_end_is_not_read(string name)
    {
        using var client = _server.Process.Connect();
        Assert.That(client.Call("CONFIG", "SET", name, "/dev/zero").Text, Does.Contain("Unable to update TLS"));
        Assert.That(
            () => _server.Process.Output, Does.Contain("/dev/zero is empty, or no file").After(Patience.Ms, 10));
    }

    [Test]
    public void Who_does_not_go_on_with_the_handshake_is_closed()
    {
        var failed = Field("tls_handshakes_failed");
        using var socket = _server.ConnectPlain();
        socket.Send([0x16, 0x03, 0x01]);
        Assert.That(ReadToEnd(socket), Is.Empty);
        Assert.That(Field("tls_handshakes_failed"), Is.EqualTo(failed + 1));
    }

    [Test]
    public void Of_too_many_handshakes_the_oldest_is_given_up()
    {
        var sockets = Enumerable.Range(0, 1025).Select(_ => _server.ConnectPlain()).ToList();
        Assert.That(ReadToEnd(sockets[0]), Is.Empty);
        Assert.That(_server.Serves());
        sockets.ForEach(socket => socket.Dispose());
        Await(() => Field("tls_handshakes_under_way") == 0);
    }

    [Test]
    public void One_client_too_many_is_told_by_an_alert()
    {
        using var only = _server.Process.Connect();
        Assert.That(only.Call("CONFIG", "SET", "maxclients", "1").Text, Is.EqualTo("OK"));
        using var other = _server.ConnectPlain();
        Assert.That(ReadToEnd(other), Is.EqualTo("\u0015\u0003\u0003\0\u0002\u0002\u0031"));
        Assert.That(only.Call("CONFIG", "SET", "maxclients", "10000").Text, Is.EqualTo("OK"));
    }

    [Test]
    public void A_server_without_what_it_needs_does_not_start()
    {
        using var server = ServerProcess.Launch(ServerKind.Strata, "--tls-port", "1");
        Assert.That(server.WaitForExit(), Is.Not.Zero);
        Assert.That(() => server.Output,
            Does.Contain("Failed to configure TLS: No tls-cert-file configured!").After(Patience.Ms, 10));
    }

    private bool ShakesHands(SslStream stream, SslProtocols protocol)
    {
        using var certificate = _server.Certificates.Load("client");
        try
        {
            stream.AuthenticateAsClient(new SslClientAuthenticationOptions
            {
                TargetHost = "server",
                EnabledSslProtocols = protocol,
                ClientCertificates = [certificate],
                RemoteCertificateValidationCallback =
                    static (_, certificate, _, _) => TestCertificates.IsOfAuthority(certificate),
            });
            return true;
        }
        catch (Exception exception) when (exception is IOException or AuthenticationException)
        {
            return false;
        }
    }

    /// <summary>A record with a right header, or none at all.</summary>
    private static void Fill(byte[] buffer, Random random)
    {
        random.NextBytes(buffer);
        if (random.Next(4) != 0)
        {
            var length = random.Next(0, 17_000);
            byte[] header = [(byte)random.Next(20, 25), 3, (byte)random.Next(0, 5), (byte)(length >> 8), (byte)length];
            header.CopyTo(buffer, 0);
            buffer[5] = (byte)random.Next(0, 3);
            buffer[6] = 0;
        }
    }

    /// <summary>Goes on below the client's TLS.</summary>
    private static void Damage(SslStream stream, Random random, byte[] buffer)
    {
        Fill(buffer, random);
        buffer[0] = 23;
        BelowOf(stream).Write(buffer, 0, random.Next(1, buffer.Length));
    }

    /// <summary>A client that was answered; null where it is refused.</summary>
    private SslStream? TryConnect()
    {
        SslStream? stream = null;
        try
        {
            stream = _server.Connect();
            _ = TlsServerProcess.Call(stream, "PING\r\n", 7);
            return stream;
        }
        catch (Exception exception) when (exception is IOException or AuthenticationException)
        {
            stream?.Dispose();
            return null;
        }
    }

    private static bool HasEnded(SslStream stream)
    {
        try
        {
            return stream.ReadByte() < 0;
        }
        catch (IOException)
        {
            return true; // An alert, or a reset.
        }
    }

    /// <summary>The stream of the records.</summary>
    private static Stream BelowOf(SslStream stream)
    {
        const BindingFlags Hidden = BindingFlags.Instance | BindingFlags.NonPublic;
        return (Stream)typeof(AuthenticatedStream).GetProperty("InnerStream", Hidden)!.GetValue(stream)!;
    }

    private static void MakeMemoryShort(RespConnection client)
    {
        Assert.That(client.Call("SET", "much", new string('x', 40_000_000)).Text, Is.EqualTo("OK"));
        Assert.That(client.Call("CONFIG", "SET", "maxmemory", "20mb").Text, Is.EqualTo("OK"));
    }

    private static void GiveMemory(RespConnection client)
    {
        Assert.That(client.Call("CONFIG", "SET", "maxmemory", "0").Text, Is.EqualTo("OK"));
        Assert.That(client.Call("DEL", "much").Text, Is.EqualTo("1"));
    }

    /// <summary>Sends, unless the server has closed it already.</summary>
    private static bool TrySend(Socket socket, ReadOnlySpan<byte> bytes)
    {
        try
        {
            return socket.Send(bytes) > 0;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    private static string ReadToEnd(Socket socket)
    {
        var all = new StringBuilder();
        var buffer = new byte[4096];
        try
        {
            for (int read; (read = socket.Receive(buffer)) > 0;)
            {
                all.Append(Encoding.Latin1.GetString(buffer, 0, read));
            }
        }
        catch (SocketException exception) when (exception.SocketErrorCode == SocketError.ConnectionReset)
        {
            return all.ToString();
        }

        return all.ToString();
    }

    private static void Await(Func<bool> condition)
    {
        var deadline = Environment.TickCount64 + Patience.Ms;
        while (!condition())
        {
            Assert.That(Environment.TickCount64, Is.LessThan(deadline));
            Thread.Sleep(20);
        }
    }

    private long Clients() => Field("connected_clients", "clients");

    private long Field(string name, string section = "tls")
    {
        using var client = _server.Process.Connect();
        var line = client.Call("INFO", section).Text.Split("\r\n")
            .First(line => line.StartsWith(name + ":", StringComparison.Ordinal));
        return long.Parse(line[(name.Length + 1)..], CultureInfo.InvariantCulture);
    }
}
