using System.Globalization;
using NUnit.Framework;
using Strata.Tests.Support;
using ReservedPort = Strata.Bench.Servers.ReservedPort;

namespace Strata.Tests.EndToEnd;

/// <summary>
/// <c>strata-server --health</c> beside servers of a program of its own: the check looks for whatever runs the same
/// program, and those of other tests come and go.
/// </summary>
public sealed class HealthCheckTests
{
    private const int SigStop = 19;
    private const int SigContinue = 18;

    private readonly string _folder = Directory.CreateTempSubdirectory("strata-health-").FullName;
    private string _program = "";

    [OneTimeSetUp]
    public void CopyProgram()
    {
        // The program is known by the path of its executable file; all that it loads may be links.
        var original = Path.GetFullPath(Path.Combine(
            Path.GetDirectoryName(StrataProcess.Program())!,
            new FileInfo(StrataProcess.Program()).LinkTarget ?? StrataProcess.Program()));
        foreach (var file in Directory.EnumerateFiles(Path.GetDirectoryName(original)!))
        {
            File.CreateSymbolicLink(Path.Combine(_folder, Path.GetFileName(file)), file);
        }

        _program = Path.Combine(_folder, Path.GetFileName(original));
        File.Delete(_program);
        File.Copy(original, _program);
    }

    [OneTimeTearDown]
    public void DeleteProgram() => Directory.Delete(_folder, recursive: true);

    [TestCase]
    [TestCase("--requirepass", "secret")]
    [TestCase("--bind", "127.0.0.9")]
    [TestCase("--port", "0", "--unixsocket", "beside.sock")]
    public void Finds_the_server_wherever_it_listens(params string[] flags)
    {
        using var server = Launch(flags);
        AssertHealthy();
        server.Terminate();
        Assert.That(server.WaitForExit(), Is.Zero, server.Output);
        AssertUnhealthy($"no process runs {_program}");
    }

    [Test]
    public void Finds_a_server_that_has_moved_to_another_port()
    {
        using var port = ReservedPort.Take();
        using var server = Launch();
        AssertHealthy();
        using (var client = server.Connect())
        {
            Assert.That(client.Call("CONFIG", "SET", "port", $"{port.Number}").Text, Is.EqualTo("OK"));
        }

        AssertHealthy();
        Assert.That(Check().Output, Does.Contain($":{port.Number} answered"));
    }

    [Test]
    public void Is_healthy_with_as_many_clients_as_there_may_be()
    {
        using var server = Launch();
        AssertHealthy();
        using var only = server.Connect();
        Assert.That(only.Call("CONFIG", "SET", "maxclients", "1").Text, Is.EqualTo("OK"));
        Assert.That(Check().Output, Does.Contain("max number of clients"));
        AssertHealthy();
    }

    [TestCase("yes", "asked for one")]
    [TestCase("no", "+PONG")]
    public void Asks_by_tls_where_nothing_else_is_spoken(string asks, string answer)
    {
        using var certificates = new TestCertificates();
        using var port = ReservedPort.Take();
        string[] flags =
        [
            "--port", "0", "--tls-port", $"{port.Number}", "--tls-auth-clients", asks, .. certificates.Flags,
        ];
        using var server = Launch(flags);
        AssertHealthy();
        Assert.That(() => Check().Output, Does.Contain(answer).After(Patience.Ms, 100));
        AssertHealthy(flags);

        Posix.Signal(server.Pid, SigStop);
        AssertUnhealthy("took the connection and did not answer");
        Posix.Signal(server.Pid, SigContinue);
    }

    [Test]
    public void Is_unhealthy_while_one_of_the_servers_hangs()
    {
        using var first = Launch();
        using var second = Launch();
        Assert.That(() => Check().Output.Split("+PONG").Length - 1, Is.EqualTo(2).After(Patience.Ms, 100));

        Posix.Signal(second.Pid, SigStop);
        AssertUnhealthy("took the connection and did not answer");
        Posix.Signal(second.Pid, SigContinue);
        AssertHealthy();
    }

    [Test]
    public void Asks_the_server_of_its_own_flags_and_conf()
    {
        using var server = Launch();
        AssertHealthy();
        var port = server.Port.ToString(CultureInfo.InvariantCulture);
        AssertHealthy("--port", port);
        AssertUnhealthy("No such file or directory", "--port", "0", "--unixsocket", "nobody.sock", "--dir", _folder);
        AssertUnhealthy("no address", "--port", "0");
        AssertUnhealthy("sometimes", "--maxmemory-policy", "sometimes");

        var conf = Path.Combine(server.Folder, "strata.conf");
        File.WriteAllText(conf, $"bind 127.0.0.1\nport {port}\n");
        AssertHealthy("--conf", conf);
        server.Terminate();
        Assert.That(server.WaitForExit(), Is.Zero, server.Output);
        AssertUnhealthy("Connection refused", "--conf", conf);
    }

    private ServerProcess Launch(params string[] flags) => ServerProcess.Launch(ServerKind.Strata, [_program], flags);

    /// <summary>The server has two seconds to answer, which it may well not do on a machine that is busy.</summary>
    private void AssertHealthy(params string[] arguments) =>
        Assert.That(() => Check(arguments).ExitCode, Is.Zero.After(Patience.Ms, 100), () => Check(arguments).Output);

    private void AssertUnhealthy(string reason, params string[] arguments)
    {
        var (exitCode, output) = Check(arguments);
        Assert.That(exitCode, Is.EqualTo(1), output);
        Assert.That(output, Does.Contain(reason));
    }

    private (int ExitCode, string Output) Check(params string[] arguments) =>
        ProgramRun.Run(_program, ["--health", .. arguments]);
}
