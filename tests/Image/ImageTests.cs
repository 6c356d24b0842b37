using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Image;

/// <summary>The Debian image, built from the repository's own Dockerfile and started.</summary>
[Category(TestCategories.Long)]
public sealed class ImageTests
{
    private const string Program = "/opt/strata/strata-server";
    private const string User = "1654";

    // The folders for temporary files and for locks are everybody's in Debian.
    private static readonly string[] s_writable = ["/data", "/tmp", "/var/tmp", "/run/lock"];

    private ImageStorage _storage = null!;

    [OneTimeSetUp]
    public void Build() => _storage = new ImageStorage();

    [OneTimeTearDown]
    public void Delete() => _storage?.Dispose();

    [Test]
    public void Says_how_it_is_to_be_run()
    {
        var configuration = _storage.Configuration;
        Assert.That(configuration.GetProperty("User").GetString(), Is.EqualTo(User));
        Assert.That(configuration.GetProperty("WorkingDir").GetString(), Is.EqualTo("/data"));
        Assert.That(configuration.GetProperty("StopSignal").GetString(), Is.EqualTo("SIGTERM"));
        Assert.That(configuration.GetProperty("Volumes").TryGetProperty("/data", out _), Is.True);
        Assert.That(configuration.GetProperty("ExposedPorts").TryGetProperty("6379/tcp", out _), Is.True);
        Assert.That(HealthCheck(), Is.EqualTo(new[] { Program, "--health" }));
    }

    [Test]
    public void Serves_is_healthy_and_ends_in_order()
    {
        using var server = new ImageServer(_storage, []);
        using (var client = server.Connect())
        {
            Assert.That(client.Call("SET", "key", "value").Text, Is.EqualTo("OK"));
            Assert.That(client.Call("GET", "key").Text, Is.EqualTo("value"));
            // Its own conf's word: who may reach a container is decided by its network.
            Assert.That(client.Call("CONFIG", "GET", "protected-mode").Items[1].Text, Is.EqualTo("no"));
        }

        AssertHealthy(server, "+PONG");
        Assert.That(server.End(Posix.SigTerm), Is.Zero, server.Output);
        Assert.That(server.Output, Does.Contain("* Stopped"));
    }

    [Test]
    public void A_mounted_conf_decides()
    {
        var conf = Path.Combine(TestContext.CurrentContext.WorkDirectory, $"strata-{Guid.NewGuid():N}.conf");
        File.WriteAllText(conf, "protected-mode yes\nrequirepass secret\nmaxmemory 77mb\n");
        try
        {
            using var server = new ImageServer(_storage, [$"{conf}:/etc/strata/strata.conf:ro"]);
            using var client = server.Connect();
            Assert.That(client.Call("GET", "key").Text, Does.StartWith("NOAUTH"));
            Assert.That(client.Call("AUTH", "secret").Text, Is.EqualTo("OK"));
            Assert.That(client.Call("CONFIG", "GET", "protected-mode").Items[1].Text, Is.EqualTo("yes"));
            Assert.That(client.Call("CONFIG", "GET", "maxmemory").Items[1].Text, Is.EqualTo("80740352"));
            AssertHealthy(server, "-NOAUTH");
        }
        finally
        {
            File.Delete(conf);
        }
    }

    [Test]
    public void Its_user_may_write_to_nothing_but_its_data()
    {
        using var server = new ImageServer(_storage, []);
        Assert.That(server.StatusOf("Uid"), Is.EqualTo($"{User}\t{User}\t{User}\t{User}"));
        Assert.That(server.StatusOf("Gid"), Is.EqualTo($"{User}\t{User}\t{User}\t{User}"));
        Assert.That(server.StatusOf("CapEff"), Is.EqualTo("0000000000000000"));

        var (_, found) = server.Execute(
            "find", "/", "-xdev", "-writable", "-type", "d");
        var writable = found.Split('\n').Where(line => line.StartsWith('/')).ToList();
        Assert.That(writable, Has.Member("/data"));
        Assert.That(writable, Is.SubsetOf(s_writable));
        Assert.That(server.Execute("touch", "/etc/strata/strata.conf").ExitCode, Is.Not.Zero);
        Assert.That(server.Execute("touch", Program).ExitCode, Is.Not.Zero);
        Assert.That(server.Execute("touch", "/data/file").ExitCode, Is.Zero);
    }

    [Test]
    public void Its_native_library_needs_the_C_library_alone()
    {
        var (exitCode, output) = ProgramRun.Run(
            "buildah", _storage.RunArguments([], ["ldd", "/opt/strata/libstrata_device.so"]));
        Assert.That(exitCode, Is.Zero, output);
        var libraries = output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => line.Trim());
        Assert.That(libraries, Is.All.Match(@"^(linux-vdso\.so|libc\.so\.6|\S*/ld-linux)"));
        Assert.That(libraries, Has.Some.StartsWith("libc.so.6"));
    }

    [Test]
    public void Takes_libaio_where_seccomp_refuses_io_uring()
    {
        const int keys = 3000;
        const string filter = "2"; // SECCOMP_MODE_FILTER
        using var server = new ImageServer(
            _storage, [], "--storage-tier", "yes", "--maxmemory", "16mb", "--workers", "1", "--shards", "1");
        Assert.That(server.StatusOf("Seccomp"), Is.EqualTo(filter));
        Assert.That(server.Output, Does.Contain("goes to /data/strata-tier, by libaio, because io_uring cannot run"));
        Assert.That(server.Output, Does.Contain("seccomp"));

        using var client = server.Connect();
        for (var key = 0; key < keys; key++)
        {
            Assert.That(client.Call("SET", $"key:{key}", Value(key)).Text, Is.EqualTo("OK"));
        }

        for (var key = 0; key < keys; key++)
        {
            Assert.That(client.Call("GET", $"key:{key}").Text, Is.EqualTo(Value(key)));
        }

        Assert.That(ServerInfo.Number(client, "tier", "tier_reads"), Is.Positive);
        Assert.That(server.End(Posix.SigTerm), Is.Zero, server.Output);
    }

    [Test]
    public void Refuses_to_start_with_io_uring_by_name_where_seccomp_refuses_it()
    {
        var (exitCode, output) = ProgramRun.Run("buildah", _storage.RunArguments(
            [],
            [Program, "--storage-tier", "yes", "--device-io-backend", "io_uring", "--bind", "127.0.0.1"]));
        Assert.That(exitCode, Is.Not.Zero);
        Assert.That(output, Does.Contain("io_uring cannot run here: it is forbidden, by a container's seccomp"));
    }

    private static string Value(int key) => $"{key}:".PadRight(10_000, 'v');

    private string[] HealthCheck()
    {
        var test = _storage.Configuration.GetProperty("Healthcheck").GetProperty("Test").EnumerateArray();
        string[] words = [.. test.Select(word => word.GetString()!)];
        Assert.That(words[0], Is.EqualTo("CMD"), "run as it is, without a shell");
        return words[1..];
    }

    /// <summary>The server has two seconds to answer, which it may well not do on a machine that is busy.</summary>
    private void AssertHealthy(ImageServer server, string reply)
    {
        var check = HealthCheck();
        Assert.That(() => server.Execute(check).ExitCode, Is.Zero.After(Patience.Ms, 100), server.Output);
        Assert.That(server.Execute(check).Output, Does.Contain(reply));
    }
}
