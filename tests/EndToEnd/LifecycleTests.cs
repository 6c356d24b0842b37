using System.Globalization;
using System.Text;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>How the server starts, refuses to start, ends and comes back.</summary>
public sealed class LifecycleTests
{
    [TestCase(ServerKind.Strata)]
    [TestCase(ServerKind.Redis)]
    public void A_taken_port_ends_the_start_with_one_clear_line(ServerKind kind)
    {
        using var first = ServerProcess.Start(kind);
        using var second = ServerProcess.LaunchOn(kind, first.Port);

        Assert.That(second.WaitForExit(), Is.Not.Zero, "exit code");
        var port = first.Port.ToString(CultureInfo.InvariantCulture);
        var lines = second.Output.Split('\n').Where(line => line.Contains(port, StringComparison.Ordinal)).ToList();
        Assert.That(lines, Has.Some.Contains("in use").IgnoreCase, $"a line of port and cause in:\n{second.Output}");
        using var connection = first.Connect();
        Assert.That(connection.Call("PING").Text, Is.EqualTo("PONG"), "the first server goes on");
    }

    [Test]
    public void Who_is_connected_is_answered_when_there_are_no_more_descriptors()
    {
        using var server = ServerProcess.Start(ServerKind.Strata);
        using var connection = server.Connect();
        Assert.That(connection.Call("PING").Text, Is.EqualTo("PONG"));
        Posix.LimitDescriptors(server.Pid, most: 3);
        using var waiting = server.Connect(); // By the kernel, not by the server yet.
        for (var i = 0; i < 1000; i++)
        {
            Assert.That(connection.Call("SET", "k", "v").Text, Is.EqualTo("OK"));
        }

        Assert.That(connection.Call("INFO", "everything").Text, Does.Contain("\nos:Linux"));
        Patience.Await(() => server.Output.Contains("no file descriptor is left", StringComparison.Ordinal));
        var told = server.Output.Split("no file descriptor is left").Length - 1;
        Posix.LimitDescriptors(server.Pid, most: 1000);
        Assert.That(waiting.Call("GET", "k").Text, Is.EqualTo("v"), "is accepted when there is one");
        Assert.That(told, Is.LessThan(100), "lines of the log");
    }

    [TestCase("maxmemory", "lots")]
    [TestCase("maxmemory-policy", "sometimes")]
    [TestCase("port", "70000")]
    [TestCase("no-such-word", "1")]
    public void A_wrong_flag_ends_the_start_and_is_named(string word, string value)
    {
        using var server = ServerProcess.Launch(ServerKind.Strata, $"--{word}", value);

        Assert.That(server.WaitForExit(), Is.Not.Zero, "exit code");
        Assert.That(() => server.Output, Does.Contain(word).After(Patience.Ms, 10));
        Assert.That(server.Output, Does.Not.Contain("   at "), "no stack trace");
    }

    [Test]
    public void A_wrong_line_of_the_conf_ends_the_start_and_is_named_with_its_place()
    {
        var conf = Path.Combine(Path.GetTempPath(), $"strata-{Guid.NewGuid():N}.conf");
        File.WriteAllText(conf, "# a comment\nmaxmemory 100mb\nno-such-word yes\n");
        try
        {
            using var server = ServerProcess.Launch(ServerKind.Strata, "--conf", conf);

            Assert.That(server.WaitForExit(), Is.Not.Zero, "exit code");
            var lines = server.Output.Split('\n').Where(l => l.Contains("no-such-word", StringComparison.Ordinal));
            var place = $@"{Path.GetFileNameWithoutExtension(conf)}\.conf\W.*\b3\b";
            Assert.That(lines, Has.Some.Match(place), server.Output);
        }
        finally
        {
            File.Delete(conf);
        }
    }

    [TestCase(Posix.SigTerm)]
    [TestCase(Posix.SigInt)]
    public void A_signal_ends_the_server_with_exit_code_0(int signal)
    {
        using var server = StrataProcess.Start();
        using var connection = server.Connect();
        connection.Call("SET", "k", "v");

        Posix.Signal(server.Pid, signal);

        Assert.That(connection.ReadToEnd(), Is.Empty);
        Assert.That(server.WaitForExit(), Is.Zero, server.Output);
    }

    /// <summary>A shell without job control starts what runs in the background with SIGINT ignored.</summary>
    [TestCase(ServerKind.Strata)]
    [TestCase(ServerKind.Redis)]
    public void Sigint_ends_a_server_that_was_started_with_it_ignored(ServerKind kind)
    {
        string[] shell = ["/bin/sh", "-c", "trap '' INT; exec \"$0\" \"$@\"", ServerProcess.ProgramOf(kind)];
        string[] flags = kind == ServerKind.Redis ? ["--save", ""] : [];
        using var server = ServerProcess.Start(kind, shell, flags);
        Posix.Signal(server.Pid, Posix.SigInt);
        Assert.That(server.WaitForExit(), Is.Zero, server.Output);
    }

    [Test]
    public void Sigterm_finishes_the_replies_of_what_was_received()
    {
        const int requests = 100;
        const int valueBytes = 100_000; // more in all than the kernel's buffers take
        using var server = StrataProcess.Start();
        using var connection = server.Connect();
        connection.Call("SET", "big", new string('b', valueBytes));
        connection.SendRaw(string.Concat(Enumerable.Repeat("GET big\r\n", requests)));
        Thread.Sleep(300); // received, and stuck at a client that doesn't read yet

        server.Terminate();

        for (var i = 0; i < requests; i++)
        {
            Assert.That(connection.ReadReply().Bytes, Has.Length.EqualTo(valueBytes), $"reply {i}");
        }

        Assert.That(connection.ReadToEnd(), Is.Empty);
        Assert.That(server.WaitForExit(), Is.Zero, server.Output);
    }

    [Test]
    public void Sigterm_under_load_cuts_no_reply_in_two()
    {
        using var server = StrataProcess.Start();
        using var connection = server.Connect();
        using var load = new BackgroundLoad(connection);
        Assert.That(connection.ReadReply().Integer, Is.EqualTo(1));

        server.Terminate();

        var text = Encoding.Latin1.GetString(connection.ReadToEnd());
        Assert.That(text, Does.EndWith("\r\n"), "the last reply is whole");
        var numbers = text.Split("\r\n", StringSplitOptions.RemoveEmptyEntries);
        Assert.That(numbers, Is.EqualTo(Enumerable.Range(2, numbers.Length).Select(n => $":{n}")));
        Assert.That(server.WaitForExit(), Is.Zero, server.Output);
    }

    /// <summary>Ten seconds after the signal.</summary>
    [Test]
    [Category(TestCategories.Long)]
    public void Sigterm_ends_although_a_client_never_reads()
    {
        using var server = StrataProcess.Start();
        using var connection = server.Connect();
        connection.Call("SET", "big", new string('b', 100_000));
        connection.SendRaw(string.Concat(Enumerable.Repeat("GET big\r\n", 1_000)));
        Thread.Sleep(300);

        server.StopGracefully();
    }

    [TestCase(ServerKind.Strata)]
    [TestCase(ServerKind.Redis)]
    public void Shutdown_closes_without_a_reply_and_exits_0(ServerKind kind)
    {
        using var server = ServerProcess.Start(kind);
        using var connection = server.Connect();
        Assert.That(connection.Call("SHUTDOWN", "JUNK"), Is.EqualTo(RespValue.Error("ERR syntax error")));

        connection.Send("SHUTDOWN", "NOSAVE");

        Assert.That(connection.ReadToEnd(), Is.Empty);
        Assert.That(server.WaitForExit(), Is.Zero, server.Output);
    }

    [TestCase(ServerKind.Strata)]
    [TestCase(ServerKind.Redis)]
    public void Killed_under_load_it_starts_again_on_the_same_port(ServerKind kind)
    {
        using var first = ServerProcess.Start(kind, "--unixsocket", "strata.sock");
        using (var connection = first.Connect())
        {
            using var load = new BackgroundLoad(connection);
            Assert.That(connection.ReadReply().Integer, Is.EqualTo(1));
            first.Kill();
            connection.ReadToEnd();
        }

        // The socket's file is still there; it must not stop the next start.
        var socket = Path.Combine(first.Folder, "strata.sock");
        using var second = ServerProcess.LaunchOn(kind, first.Port, "--unixsocket", socket);
        Assert.That(second.WaitUntilReady(), second.Output);
        using var after = RespConnection.ConnectUnix(socket);
        Assert.That(after.Call("INCR", "counter").Integer, Is.EqualTo(1), "empty, and answering");
    }
}
