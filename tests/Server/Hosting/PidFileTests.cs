using System.Text.RegularExpressions;
using NUnit.Framework;
using Strata.Bench.Servers;
using Strata.Server.Lifecycle;
using Strata.Tests.Server.Options;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Hosting;

/// <summary>The file with the number of the process, as the built program writes and removes it; and that the program
/// does not leave the process it was started in.</summary>
public sealed class PidFileTests
{
    private readonly TemporaryDirectory _files = new();

    [OneTimeTearDown]
    public void DeleteFiles() => _files.Dispose();

    [Test]
    public void Is_there_while_the_server_runs_and_gone_after()
    {
        var path = _files.Write("run/strata.pid", "what an earlier run left, longer than a number");
        using var port = ReservedPort.Take();
        using var server = Start(port, "--dir", Path.GetDirectoryName(path)!, "--pidfile", "strata.pid");
        var pid = WaitUntilItRuns(server);
        WaitForContent(path, $"{pid}\n");
        server.Signal("TERM");
        Assert.That(server.WaitForExit(), Is.EqualTo((int)ExitCode.Ok), server.Errors);
        Assert.That(path, Does.Not.Exist);
        Assert.That(server.Output, Does.Not.Contain("PID file"));
    }

    [Test]
    public void Stays_when_it_is_another_process_s()
    {
        var path = Path.Combine(_files.Path, "another.pid");
        using var port = ReservedPort.Take();
        using var server = Start(port, "--pidfile", path);
        var pid = WaitUntilItRuns(server);
        WaitForContent(path, $"{pid}\n");
        File.WriteAllText(path, "1\n");
        server.Signal("TERM");
        Assert.That(server.WaitForExit(), Is.EqualTo((int)ExitCode.Ok), server.Errors);
        Assert.That(File.ReadAllText(path), Is.EqualTo("1\n"));
    }

    [Test]
    public void Is_missing_with_a_warning_where_it_cannot_be_written()
    {
        const string Nowhere = "/nowhere/strata.pid";
        using var port = ReservedPort.Take();
        using var server = Start(port, "--pidfile", Nowhere);
        server.WaitForOutput($" # Failed to write PID file {Nowhere}: No such file or directory.");
        server.Signal("TERM");
        Assert.That(server.WaitForExit(), Is.EqualTo((int)ExitCode.Ok), server.Errors);
    }

    [Test]
    public void Is_not_written_by_a_server_that_does_not_start()
    {
        var path = Path.Combine(_files.Path, "failed.pid");
        using var port = ReservedPort.Take();
        using var first = Start(port, "--pidfile", path);
        var pid = WaitUntilItRuns(first);
        WaitForContent(path, $"{pid}\n");
        using var second = Start(port, "--pidfile", path);
        Assert.That(second.WaitForExit(), Is.EqualTo((int)ExitCode.Listen));
        Assert.That(File.ReadAllText(path), Is.EqualTo($"{pid}\n"), "it is still the first one's");
    }

    [TestCase("daemonize")]
    [TestCase("syslog-enabled")]
    public void What_the_program_cannot_do_ends_the_start_with_one_line(string name)
    {
        using var server = new ServerProcess("true", $"--{name}", "yes");
        Assert.That(server.WaitForExit(), Is.EqualTo((int)ExitCode.Configuration));
        Assert.That(
            server.Errors, Does.Match($"^strata-server: Flag --{name}: the server does not .*--{name} no.*\n$"));
        Assert.That(server.Output, Is.Empty);
    }

    private static ServerProcess Start(ReservedPort port, params string[] arguments) =>
        new("true", [.. arguments, "--port", $"{port.Number}", "--bind", "127.0.0.1"]);

    /// <summary>Waits until the file holds a text: it is written soon after the log says that the server is ready.
    /// </summary>
    private static void WaitForContent(string path, string text) => Assert.That(
        () => File.Exists(path) ? File.ReadAllText(path) : "", Is.EqualTo(text).After(Patience.Ms, 10));

    /// <summary>Waits for the start's end.</summary>
    /// <returns>The number of the process, as its log begins with it.</returns>
    private static string WaitUntilItRuns(ServerProcess server)
    {
        server.WaitForOutput("* Ready to accept connections");
        return Regex.Match(server.Output, "pid ([0-9]+)").Groups[1].Value;
    }
}
