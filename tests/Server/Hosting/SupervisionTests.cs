using NUnit.Framework;
using Strata.Bench.Servers;
using Strata.Server.Lifecycle;
using Strata.Tests.Server.Options;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Hosting;

/// <summary>The built program under systemd, as which a socket of the test stands in.</summary>
public sealed class SupervisionTests
{
    private const string Ready = "READY=1\nSTATUS=Ready to accept connections";
    private const string Alive = "WATCHDOG=1";
    private const string Stopping = "STOPPING=1\nSTATUS=Stopping: no new connections, replies under way are sent";

    private readonly TemporaryDirectory _files = new();

    [OneTimeTearDown]
    public void DeleteFiles() => _files.Dispose();

    [TestCase("systemd", false)]
    [TestCase("auto", false)]
    [TestCase("auto", true)]
    public void Systemd_is_told_that_the_server_is_ready_alive_and_stopping(string mode, bool isAbstract)
    {
        using var socket = new NotifySocket(NewName(isAbstract));
        using var port = ReservedPort.Take();
        using var server = new ServerProcess(
            $"export NOTIFY_SOCKET={socket.Name} WATCHDOG_USEC=100000 WATCHDOG_PID=$$",
            "--supervised", mode, "--port", $"{port.Number}", "--bind", "127.0.0.1");

        Assert.That(socket.Receive(), Is.EqualTo(Ready), server.Output);
        using (var client = RespConnection.Connect(port.Number))
        {
            Assert.That(client.Call("INFO", "server").Text, Does.Contain("process_supervised:systemd\r\n"));
        }

        Assert.That(socket.Receive(), Is.EqualTo(Alive), server.Output);
        Assert.That(socket.Receive(), Is.EqualTo(Alive), server.Output);
        server.Signal("TERM");
        var last = socket.Receive();
        while (last == Alive)
        {
            last = socket.Receive();
        }

        Assert.That(last, Is.EqualTo(Stopping));
        Assert.That(server.WaitForExit(), Is.EqualTo((int)ExitCode.Ok), server.Errors);
        Assert.That(socket.IsEmpty, "nothing comes after STOPPING");
        Assert.That(server.Output, Does.Not.Contain(" # "), "no warning");
    }

    /// <summary>It is another process's, as it is where the server was started by a shell of the unit.</summary>
    [Test]
    public void A_watchdog_of_another_process_is_left_alone()
    {
        using var socket = new NotifySocket(NewName(isAbstract: false));
        using var port = ReservedPort.Take();
        using var server = new ServerProcess(
            $"export NOTIFY_SOCKET={socket.Name} WATCHDOG_USEC=2000 WATCHDOG_PID=1",
            "--supervised", "systemd", "--port", $"{port.Number}", "--bind", "127.0.0.1");
        Assert.That(socket.Receive(), Is.EqualTo(Ready), server.Output);
        using (var client = RespConnection.Connect(port.Number))
        {
            client.Send("SHUTDOWN", "NOSAVE");
            client.ReadToEnd();
        }

        Assert.That(socket.Receive(), Is.EqualTo(Stopping));
        Assert.That(server.WaitForExit(), Is.EqualTo((int)ExitCode.Ok), server.Errors);
    }

    [TestCase("no", "NOTIFY_SOCKET=/nowhere", "")]
    [TestCase("auto", "NOTIFY_SOCKET=", "")]
    [TestCase("systemd", "NOTIFY_SOCKET=", "supervised systemd, but NOTIFY_SOCKET is not set")]
    [TestCase("systemd", "NOTIFY_SOCKET=/nowhere", "systemd was not told READY=1 by the socket in NOTIFY_SOCKET")]
    public void Without_systemd_the_server_runs_and_warns_where_it_was_named(
        string mode, string environment, string warning)
    {
        using var port = ReservedPort.Take();
        using var server = new ServerProcess(
            $"export {environment}", "--supervised", mode, "--port", $"{port.Number}", "--bind", "127.0.0.1");
        server.WaitForOutput("* Ready to accept connections");
        using (var client = RespConnection.Connect(port.Number))
        {
            Assert.That(client.Call("PING").Text, Is.EqualTo("PONG"));
            Assert.That(client.Call("CONFIG", "GET", "supervised").ToString(), Does.Contain(mode));
        }

        server.Signal("TERM");
        Assert.That(server.WaitForExit(), Is.EqualTo((int)ExitCode.Ok), server.Errors);
        Assert.That(server.Output, warning.Length > 0 ? Does.Contain(warning) : Does.Not.Contain("systemd"));
    }

    [Test]
    public void Upstart_is_refused_with_the_remedy()
    {
        using var server = new ServerProcess("true", "--supervised", "upstart");
        Assert.That(server.WaitForExit(), Is.EqualTo((int)ExitCode.Configuration));
        Assert.That(server.Errors, Does.Match(
            "^strata-server: supervised upstart is not supported: .* use supervised no; .*\n$"));
    }

    private string NewName(bool isAbstract)
    {
        var name = Path.Combine(_files.Path, Guid.NewGuid().ToString("N"));
        return isAbstract ? "@" + name : name;
    }
}
