using System.Diagnostics;
using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Text;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>Who may connect, how many, from where and for how long.</summary>
[TestFixture(ServerKind.Strata)]
[TestFixture(ServerKind.Redis)]
public sealed class AccessTests(ServerKind kind) : ServerFixture(kind)
{
    [Test]
    public void Over_maxclients_a_connection_is_refused_with_redis_text()
    {
        using var server = StartWith("--maxclients", "3");
        var connections = new List<RespConnection> { server.Connect() };
        try
        {
            // The connection that found the server ready goes by and by.
            ServerInfo.WaitFor(connections[0], "clients", "connected_clients", 1);
            connections.AddRange([server.Connect(), server.Connect()]);
            Assert.That(connections.Select(connection => connection.Call("PING").Text), Is.All.EqualTo("PONG"));

            using var refused = server.Connect();
            Assert.That(
                Encoding.Latin1.GetString(refused.ReadToEnd()), Is.EqualTo("-ERR max number of clients reached\r\n"));
            Assert.That(connections[0].Call("PING").Text, Is.EqualTo("PONG"));

            connections[0].Dispose();
            Assert.That(EventuallyServes(server), "a place that became free is given to the next");
        }
        finally
        {
            connections.ForEach(connection => connection.Dispose());
        }
    }

    [Test]
    public void With_a_password_nothing_works_before_it_is_given()
    {
        using var server = StartWith("--requirepass", "secret");
        using var connection = server.Connect();

        Assert.That(connection.Call("GET", "k"), Is.EqualTo(RespValue.Error("NOAUTH Authentication required.")));
        Assert.That(connection.Call("PING"), Is.EqualTo(RespValue.Error("NOAUTH Authentication required.")));
        Assert.That(connection.Call("HELLO", "3").Text, Does.StartWith("NOAUTH HELLO must be called with"));
        Assert.That(connection.Call("NONSENSE").Text, Does.StartWith("ERR unknown command"));
        Assert.That(
            connection.Call("AUTH", "wrong"),
            Is.EqualTo(RespValue.Error("WRONGPASS invalid username-password pair or user is disabled.")));
        Assert.That(connection.Call("GET", "k"), Is.EqualTo(RespValue.Error("NOAUTH Authentication required.")));
        Assert.That(connection.Call("AUTH", "secret").Text, Is.EqualTo("OK"));
        Assert.That(connection.Call("GET", "k").IsNull);
        Assert.That(connection.Call("RESET").Text, Is.EqualTo("RESET"));
        Assert.That(connection.Call("GET", "k"), Is.EqualTo(RespValue.Error("NOAUTH Authentication required.")));
        Assert.That(connection.Call("AUTH", "default", "secret").Text, Is.EqualTo("OK"));

        using var second = server.Connect();
        Assert.That(second.Call("HELLO", "3", "AUTH", "default", "secret").Kind, Is.EqualTo(RespKind.Map));
        Assert.That(second.Call("GET", "k").Kind, Is.EqualTo(RespKind.Null));
    }

    [Test]
    public void A_password_set_at_run_time_holds_for_new_connections()
    {
        using var server = StartWith();
        using var connection = server.Connect();
        Assert.That(connection.Call("CONFIG", "SET", "requirepass", "later").Text, Is.EqualTo("OK"));
        Assert.That(connection.Call("PING").Text, Is.EqualTo("PONG"), "whoever was in stays in");

        using var second = server.Connect();
        Assert.That(second.Call("PING").Text, Does.StartWith("NOAUTH"));
        Assert.That(second.Call("AUTH", "later").Text, Is.EqualTo("OK"));
    }

    [Test]
    public void Protected_mode_refuses_other_hosts_unless_there_is_a_password()
    {
        var address = OwnAddress();
        if (address is null)
        {
            Assert.Ignore("No connection here can look like another host's: there is no IPv4 address but loopback's.");
        }

        using (var open = LaunchOn(address!))
        {
            using var refused = RespConnection.Connect(open.EndPoint);
            Assert.That(Encoding.Latin1.GetString(refused.ReadToEnd()), Does.StartWith("-DENIED "));
        }

        using var guarded = LaunchOn(address!, "--requirepass", "secret");
        using var asked = RespConnection.Connect(guarded.EndPoint);
        Assert.That(asked.Call("PING").Text, Does.StartWith("NOAUTH"));
    }

    [Test]
    public void An_idle_connection_is_closed_after_the_timeout_and_a_busy_one_is_not()
    {
        using var server = StartWith("--timeout", "1");
        using var idle = server.Connect();
        using var busy = server.Connect();
        idle.Call("PING");

        var clock = Stopwatch.StartNew();
        while (!idle.HasInput(withinMs: 200) && clock.ElapsedMilliseconds < Patience.Ms)
        {
            Assert.That(busy.Call("PING").Text, Is.EqualTo("PONG"));
        }

        Assert.That(idle.ReadToEnd(), Is.Empty, "closed without a word");
        Assert.That(clock.Elapsed, Is.GreaterThan(TimeSpan.FromSeconds(0.9)));
        Assert.That(busy.Call("PING").Text, Is.EqualTo("PONG"));
    }

    [Test]
    [SupportedOSPlatform("linux")]
    public void A_unix_socket_serves_too()
    {
        using var server = StartWith("--unixsocket", "strata.sock", "--unixsocketperm", "700");
        var path = Path.Combine(server.Folder, "strata.sock");

        Assert.That(
            File.GetUnixFileMode(path),
            Is.EqualTo(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute));
        using var local = RespConnection.ConnectUnix(path);
        using var remote = server.Connect();
        Assert.That(local.Call("SET", "k", "through the file").Text, Is.EqualTo("OK"));
        Assert.That(remote.Call("GET", "k").Text, Is.EqualTo("through the file"));
    }

    /// <summary>A page may have a browser send anything to the server's port, behind a header.</summary>
    [TestCase("POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nSET stolen 1\r\n")]
    [TestCase("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nSET stolen 1\r\n")]
    public void A_browsers_request_closes_the_connection(string request)
    {
        using var browser = Server.Connect();
        browser.SendRaw(request);
        Assert.That(Encoding.Latin1.GetString(browser.ReadToEnd()), Does.Not.Contain("OK"));
        using var connection = Server.Connect();
        Assert.That(connection.Call("EXISTS", "stolen").Text, Is.EqualTo("0"));
    }

    [Test]
    public void Keys_lie_elsewhere_in_each_process()
    {
        var orders = new List<string>();
        for (var i = 0; i < 2; i++)
        {
            using var server = StartWith();
            using var connection = server.Connect();
            foreach (var key in Enumerable.Range(0, 100))
            {
                connection.Call("SET", $"key {key}", "");
            }

            orders.Add(connection.Call("SCAN", "0", "COUNT", "1000").Items[1].ToString());
        }

        Assert.That(orders[0], Is.Not.EqualTo(orders[1]));
    }

    /// <summary>An address of this machine that is not its loopback, or null.</summary>
    internal static IPAddress? OwnAddress() =>
        NetworkInterface.GetAllNetworkInterfaces()
            .Where(face => face.OperationalStatus == OperationalStatus.Up)
            .SelectMany(face => face.GetIPProperties().UnicastAddresses)
            .Select(unicast => unicast.Address)
            .FirstOrDefault(a => a.AddressFamily == AddressFamily.InterNetwork && !IPAddress.IsLoopback(a));

    private ServerProcess LaunchOn(IPAddress address, params string[] flags)
    {
        var program = ServerProcess.ProgramOf(Kind);
        var server = ServerProcess.Launch(Kind, [program], flags, bind: address);
        Assert.That(server.WaitUntilReady(), server.Output);
        return server;
    }

    private static bool EventuallyServes(ServerProcess server)
    {
        var deadline = Environment.TickCount64 + Patience.Ms;
        while (Environment.TickCount64 < deadline)
        {
            using var connection = server.Connect();
            if (connection.Call("PING").Text == "PONG")
            {
                return true;
            }

            Thread.Sleep(20);
        }

        return false;
    }
}
