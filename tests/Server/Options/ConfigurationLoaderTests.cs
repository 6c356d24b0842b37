using NUnit.Framework;

namespace Strata.Tests.Server.Options;

public sealed class ConfigurationLoaderTests
{
    private readonly TemporaryDirectory _files = new();

    [OneTimeTearDown]
    public void DeleteFiles() => _files.Dispose();

    [Test]
    public void Flag_goes_over_environment_over_file_over_default()
    {
        var file = _files.Write("strata.conf", "maxmemory 1mb\nmaxclients 1\ntimeout 1\n");
        var options = Loading.Load(
            ["--conf", file, "--maxmemory", "3mb"],
            ("STRATA_MAXMEMORY", "2mb"),
            ("STRATA_MAXCLIENTS", "2")).Options;
        Assert.Multiple(() =>
        {
            Assert.That(options.MaxMemoryBytes, Is.EqualTo(3 << 20));
            Assert.That(options.MaxClients, Is.EqualTo(2));
            Assert.That(options.TimeoutSeconds, Is.EqualTo(1));
            Assert.That(options.Port, Is.EqualTo(6379));
        });
    }

    [Test]
    public void Flags_take_values_as_redis_server_does()
    {
        var file = _files.Write("first.conf", "port 1\n");
        var loaded = Loading.Load(
        [
            file, "--bind", "*", "-::*", "--slowlog-log-slower-than", "-1", "--requirepass", "--secret", "--save", "",
            "--Timeout=5", "--hz 7", "--cluster-enabled", "yes", "--client-output-buffer-limit", "pubsub 1 2 3",
            "--logfile", "",
        ]);
        Assert.Multiple(() =>
        {
            Assert.That(loaded.Options.Binds.Select(bind => bind.Host), Is.EqualTo(new[] { "*", "::*" }));
            Assert.That(loaded.Options.SlowlogLogSlowerThanMicroseconds, Is.EqualTo(-1));
            Assert.That(loaded.Options.Requirepass.ToArray(), Is.EqualTo("--secret"u8.ToArray()));
            Assert.That(loaded.Options.TimeoutSeconds, Is.EqualTo(5));
            Assert.That(loaded.Options.Hz, Is.EqualTo(7));
            Assert.That(loaded.Options.Port, Is.EqualTo(1));
            Assert.That(loaded.Options.PubSubOutputBufferLimit.SoftSeconds, Is.EqualTo(3));
            Assert.That(loaded.ConfFile, Is.EqualTo(file));
            Assert.That(loaded.Warnings, Has.Count.EqualTo(1));
            Assert.That(loaded.Warnings[0], Does.EndWith(" effect: cluster-enabled yes."));
        });
    }

    [TestCase("Unknown flag --maxmemroy; did you mean --maxmemory? (--help lists all flags)", "--maxmemroy", "4gb")]
    [TestCase("Unknown flag --maxmemry; did you mean --maxmemory? (--help lists all flags)", "--maxmemry=4gb")]
    [TestCase("Unknown flag --requirepas; did you mean --requirepass? (--help lists all flags)", "--requirepas=x y")]
    [TestCase("Unknown flag -p (--help lists all flags)", "-p", "6380")]
    [TestCase("Flag --port: wrong number of arguments; port takes: number 0..65535", "--port")]
    [TestCase("Flag --port 1 2: wrong number of arguments; port takes: number 0..65535", "--port", "1", "2")]
    [TestCase("More than one conf file given: a.conf, b.conf", "b.conf", "--conf", "a.conf")]
    [TestCase("Can't open the conf file /nowhere/a.conf: No such file or directory", "/nowhere/a.conf")]
    public void Names_what_is_wrong_with_the_arguments(string error, params string[] arguments)
    {
        Assert.That(Loading.Error(arguments), Is.EqualTo(error));
    }

    [Test]
    public void Names_the_environment_variable_that_is_wrong()
    {
        Assert.That(
            Loading.Error([], ("STRATA_PORT", "tcp://10.0.0.1:6379")),
            Does.StartWith("Environment variable STRATA_PORT=tcp://10.0.0.1:6379: argument couldn't be parsed"));
    }

    [Test]
    public void Warns_of_environment_variables_that_name_no_key()
    {
        var loaded = Loading.Load([], ("STRATA_MAXMEMROY", "1gb"), ("STRATA_IO_THREADS", "4"), ("OTHER", "x"));
        Assert.That(loaded.Warnings, Is.EqualTo(new[]
        {
            "Not supported, without effect, and harmless: io-threads 4.",
            "Environment variables that name no configuration key: STRATA_MAXMEMROY.",
        }));
    }

    [TestCase("STRATA_USER", "alice on >secret ~* +@all")]
    [TestCase("STRATA_RENAME_COMMAND", "FLUSHALL secret")]
    public void Refuses_environment_variables_that_would_close_what_stays_open(string name, string value)
    {
        var error = Loading.Error([], (name, value));
        Assert.That(error, Does.StartWith($"Environment variable {name}: ").And.Contain("stands in the conf file"));
        Assert.That(error, Does.Not.Contain("secret"));
    }

    [Test]
    public void Keeps_secrets_out_of_errors()
    {
        var file = _files.Write("secret.conf", "requirepass hush hush\n");
        Assert.That(Loading.Error([file]), Does.Contain("line 1: wrong number").And.Not.Contain("hush"));
        Assert.That(Loading.Error(["--requirepass", "hush", "hush"]), Does.Not.Contain("hush"));
        string[] lines =
        [
            "requirepass \"hush", "reqirepass hush", "user alice >hush 'on", "masterauth hush \"",
            "tls-key-file-pas hush", "requirepass \"hush\"x",
        ];
        foreach (var line in lines)
        {
            file = _files.Write("secret.conf", $"{line}\n");
            Assert.That(Loading.Error([file]), Does.Contain("secret.conf, line 1").And.Not.Contain("hush"), line);
        }
    }
}
