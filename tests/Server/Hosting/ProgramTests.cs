using System.Net.Sockets;
using System.Text.Json;
using NUnit.Framework;
using Strata.Bench.Servers;
using Strata.Server.Lifecycle;
using Strata.Tests.Server.Options;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Hosting;

/// <summary>The built program from outside: signals, exit codes, what it says.</summary>
public sealed class ProgramTests
{
    private readonly TemporaryDirectory _files = new();

    [OneTimeTearDown]
    public void DeleteFiles() => _files.Dispose();

    [TestCase("TERM")]
    [TestCase("INT")]
    public void Stops_in_order_on_a_signal(string signal)
    {
        using var port = ReservedPort.Take();
        using var server = Start("--port", $"{port.Number}");
        server.WaitForOutput("* Ready to accept connections");
        server.Signal(signal);
        Assert.That(server.WaitForExit(), Is.EqualTo((int)ExitCode.Ok), server.Errors);
        Assert.That(server.Output, Does.Contain("* Stopped"));
        Assert.That(server.Errors, Is.Empty);
    }

    /// <summary>As Redis: a terminal that is closed, or a log file that is turned over, is no reason to end.</summary>
    [Test]
    public void Goes_on_after_a_hang_up()
    {
        using var port = ReservedPort.Take();
        using var server = Start("--port", $"{port.Number}");
        server.WaitForOutput("* Ready to accept connections");
        server.Signal("HUP");
        using (var client = RespConnection.Connect(port.Number))
        {
            Assert.That(client.Call("PING").Text, Is.EqualTo("PONG"));
        }

        server.Signal("TERM");
        Assert.That(server.WaitForExit(), Is.EqualTo((int)ExitCode.Ok), server.Errors);
    }

    [Test]
    public void Refuses_to_listen_nowhere()
    {
        using var server = Start("--port", "0");
        Assert.That(server.WaitForExit(), Is.EqualTo((int)ExitCode.Configuration));
        Assert.That(OneLine(server.Errors), Does.Contain("Configured to not listen anywhere"));
    }

    [Test]
    public void Says_that_the_port_is_taken()
    {
        using var other = new TcpListener(System.Net.IPAddress.Loopback, 0);
        other.Start();
        var port = ((System.Net.IPEndPoint)other.LocalEndpoint).Port;
        using var server = Start("--port", $"{port}");
        Assert.That(server.WaitForExit(), Is.EqualTo((int)ExitCode.Listen));
        var error = OneLine(server.Errors);
        Assert.That(error, Does.Contain($"Cannot listen on 127.0.0.1:{port}: Address already in use;"));
    }

    [Test]
    public void Says_that_another_server_has_the_port()
    {
        using var port = ReservedPort.Take();
        using var first = Start("--port", $"{port.Number}");
        first.WaitForOutput("* Ready to accept connections");
        using var second = Start("--port", $"{port.Number}");
        Assert.That(second.WaitForExit(), Is.EqualTo((int)ExitCode.Listen));
    }

    [Test]
    public void Says_what_is_wrong_with_the_configuration()
    {
        var conf = _files.Write("typo.conf", "port 7000\nmaxmemroy 1gb\n");
        using var server = Start(conf);
        Assert.That(server.WaitForExit(), Is.EqualTo((int)ExitCode.Configuration));
        var error = OneLine(server.Errors);
        Assert.That(error, Does.StartWith($"strata-server: {conf}, line 2, 'maxmemroy ...': bad directive"));
    }

    [TestCase("Can't open the log file", "--logfile", "/proc/nothing/strata.log")]
    [TestCase("Can't change to the directory of dir", "--dir", "/proc/nothing")]
    [TestCase("Can't change to the directory of dir, /proc/version: Not a directory.", "--dir", "/proc/version")]
    [TestCase("Unknown flag --nonsense", "--nonsense")]
    [TestCase("Flags --check-aof and --check-rdb take the path", "--check-rdb", "")]
    [TestCase("Flags --check-aof and --check-rdb take the path", "--check-aof", "")]
    [TestCase("/ cannot be loaded: cannot read '/': Is a directory", "--check-rdb", "/")]
    public void Says_what_it_cannot_use(string message, params string[] arguments)
    {
        using var server = Start(arguments);
        Assert.That(server.WaitForExit(), Is.EqualTo((int)ExitCode.Configuration));
        Assert.That(OneLine(server.Errors), Does.Contain(message));
    }

    [Test]
    public void Says_that_maxmemory_is_too_small_and_how_much_it_takes()
    {
        using var server = Start("--maxmemory", "50kb", "--shards", "4", "--port", "0", "--unixsocket", "none");
        Assert.That(server.WaitForExit(), Is.EqualTo((int)ExitCode.Configuration));
        Assert.That(
            OneLine(server.Errors),
            Does.Match("maxmemory: 51200 bytes are too few to work with: 4 shards need at least \\d+\\. Give more"));
    }

    [Test]
    public void Says_that_data_cannot_go_to_a_folder_that_takes_no_files()
    {
        using var server = Start("--dir", "/proc", "--storage-tier", "yes");
        Assert.That(server.WaitForExit(), Is.EqualTo((int)ExitCode.Resources));
        Assert.That(
            OneLine(server.Errors),
            Does.Contain("/proc/strata-tier for data on disk: no files can be made there, on a file system of type "
                + "proc; choose a 'dir' on a disk"));
    }

    [Test]
    public void Says_that_the_journal_cannot_go_to_a_folder_that_takes_no_files()
    {
        using var server = Start("--dir", "/proc", "--appendonly", "yes");
        Assert.That(server.WaitForExit(), Is.Not.Zero);
        Assert.That(
            OneLine(server.Errors),
            Does.Contain("appendonlydir': no files can be made there, on a file system of type proc: choose a 'dir' on "
                + "a disk"));
    }

    [Test]
    public void Says_that_there_are_too_few_file_descriptors()
    {
        using var port = ReservedPort.Take();
        using var server = new ServerProcess("ulimit -n 90", "--port", $"{port.Number}");
        if (server.WaitForExitOrOutput("Ready to accept"))
        {
            Assert.Ignore("This user may raise the hard limit of open files");
        }

        Assert.That(server.WaitForExit(), Is.EqualTo((int)ExitCode.Resources));
        Assert.That(OneLine(server.Errors), Does.Contain("The limit of open files is 90"));
    }

    [Test]
    public void Lowers_maxclients_to_what_the_descriptors_allow()
    {
        using var port = ReservedPort.Take();
        using var server = new ServerProcess(
            "ulimit -n 300", "--port", $"{port.Number}", "--bind", "127.0.0.1", "--workers", "1");
        server.WaitForOutput("Ready to accept connections");
        server.Signal("TERM");
        server.WaitForExit();
        if (!server.Output.Contains("ulimit -n", StringComparison.Ordinal))
        {
            Assert.Ignore("This user may raise the hard limit of open files");
        }

        Assert.That(
            server.Output,
            Does.Contain("# maxclients 10000 needs 10164 open files and the limit is 300: lowered to 136."));
    }

    [Test]
    public void Logs_to_a_file_and_in_json()
    {
        var log = Path.Combine(_files.Path, "strata.log");
        using var port = ReservedPort.Take();
        using var server = Start(
            "--port", $"{port.Number}", "--logfile", log, "--log-format", "json", "--io-threads", "4");
        Assert.That(() => File.Exists(log) && File.ReadAllText(log).Contains("Ready"), Is.True.After(Patience.Ms, 10));
        server.Signal("TERM");
        Assert.That(server.WaitForExit(), Is.EqualTo((int)ExitCode.Ok), server.Errors);
        var lines = File.ReadAllLines(log).Select(line => JsonDocument.Parse(line).RootElement).ToList();
        Assert.That(server.Output, Is.Empty);
        Assert.That(
            lines.Where(line => line.GetProperty("level").GetString() == "warning")
                .Select(line => line.GetProperty("message").GetString()),
            Has.Some.EqualTo("Not supported, without effect, and harmless: io-threads 4."));
        Assert.That(lines[^1].GetProperty("message").GetString(), Does.StartWith("Stopped"));
    }

    [Test]
    public void Prints_version_help_conf_and_commands()
    {
        Assert.That(Print("--version"), Does.Match(@"^Strata server \d+\.\d+\.\d+\n$"));
        Assert.That(Print("--help"), Does.Contain("--maxmemory-policy").And.Contain("--conf"));
        Assert.That(Print("--print-conf"), Does.Contain("\nport 6379\n"));
        Assert.That(Print("--print-commands"), Does.Contain("\n| `GET` | yes | 1.0.0 | |\n"));
    }

    [TestCase("--version")]
    [TestCase("--help")]
    [TestCase("--print-conf")]
    [TestCase("--print-reference")]
    [TestCase("--print-commands")]
    [TestCase("--check-aof")]
    [TestCase("--check-rdb")]
    public void Says_that_what_it_was_asked_for_cannot_be_written(string flag)
    {
        var file = Path.Combine(_files.Path, "whole");
        File.WriteAllBytes(
            file, flag == "--check-rdb" ? [.. "REDIS0003"u8, 0xFF] : [.. "*1\r\n$4\r\nPING\r\n"u8]);
        string[] arguments = flag.StartsWith("--check", StringComparison.Ordinal) ? [flag, file] : [flag];
        using var server = new ServerProcess("exec > /dev/full", arguments);
        Assert.That(server.WaitForExit(), Is.EqualTo((int)ExitCode.Output), server.Errors);
        Assert.That(
            OneLine(server.Errors),
            Is.EqualTo("strata-server: Cannot write to standard output: No space left on device\n"));
    }

    [TestCase("--nonsense")]
    [TestCase("--check-rdb", "/proc/nothing")]
    public void Ends_with_its_exit_code_where_it_can_tell_nobody_why(params string[] arguments)
    {
        using var server = new ServerProcess("exec > /dev/full 2>&1", arguments);
        Assert.That(server.WaitForExit(), Is.EqualTo((int)ExitCode.Configuration));
    }

    private static ServerProcess Start(params string[] arguments) =>
        new("true", [.. arguments, "--bind", "127.0.0.1"]);

    private static string Print(string flag)
    {
        using var server = new ServerProcess("true", flag);
        Assert.That(server.WaitForExit(), Is.EqualTo((int)ExitCode.Ok));
        return server.Output;
    }

    private static string OneLine(string errors)
    {
        Assert.That(errors.Count(c => c == '\n'), Is.EqualTo(1), errors);
        return errors;
    }
}
