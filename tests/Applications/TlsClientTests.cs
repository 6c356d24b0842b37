using NUnit.Framework;
using Strata.Tests.EndToEnd.Tls;
using Strata.Tests.Support;

namespace Strata.Tests.Applications;

/// <summary>Clients in other languages that speak TLS and show certificates: tests/Applications/Node/tls.js and
/// Python/tls.py.</summary>
[Category("Long")]
internal sealed class TlsClientTests
{
    private static readonly string s_packages = RepositoryRoot.Combine("out", "node", "node_modules");

    private readonly TlsServerProcess _server = new(ServerKind.Strata);

    [OneTimeTearDown]
    public void Stop() => _server.Dispose();

    [Test]
    public void Node([Values("ioredis-5", "redis-5")] string package, [Values("TLSv1.2", "TLSv1.3")] string version)
    {
        Assume.That(ProgramRun.Find("node"), Is.Not.Null, "there is no node on the PATH");
        Assume.That(s_packages, Does.Exist, "./test.sh installs the packages");
        Run(
            "node",
            [RepositoryRoot.Combine("tests", "Applications", "Node", "tls.js"), package],
            version,
            ("NODE_PATH", s_packages));
    }

    [Test]
    public void Python([Values("TLSv1.2", "TLSv1.3")] string version)
    {
        const string Interpreter = "/usr/bin/python3";
        Assume.That(Interpreter, Does.Exist);
        var hasModule = ProgramRun.Run(Interpreter, ["-c", "import redis"]).ExitCode == 0;
        Assume.That(hasModule, "./test.sh installs redis-py");
        Run(Interpreter, ["-B", RepositoryRoot.Combine("tests", "Applications", "Python", "tls.py")], version);
    }

    private void Run(
        string program, string[] arguments, string version, params (string Name, string Value)[] variables)
    {
        var (exitCode, output) = ProgramRun.Run(
            program, [.. arguments, _server.PortText, _server.Certificates.Folder, version], variables);
        Assert.That(exitCode, Is.Zero, output);
    }
}
