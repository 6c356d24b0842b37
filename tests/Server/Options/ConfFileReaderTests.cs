using NUnit.Framework;
using Strata.Server.Options;

namespace Strata.Tests.Server.Options;

public sealed class ConfFileReaderTests
{
    private readonly TemporaryDirectory _files = new();

    [OneTimeTearDown]
    public void DeleteFiles() => _files.Dispose();

    [Test]
    public void Reads_comments_quotes_units_and_names_in_any_case()
    {
        var file = _files.Write(
            "good.conf",
            "# comment\n\n  MaxMemory 2GB  \r\nrequirepass \"a b\\x00\"\nbind 127.0.0.1 -::1\n"
            + "maxclients 5\nmaxclients 7\n");
        var options = Loading.Load([file]).Options;
        Assert.Multiple(() =>
        {
            Assert.That(options.MaxMemoryBytes, Is.EqualTo(2L << 30));
            Assert.That(options.Requirepass.ToArray(), Is.EqualTo("a b\0"u8.ToArray()));
            Assert.That(options.Binds[0], Is.EqualTo(new BindAddress("127.0.0.1", false)));
            Assert.That(options.Binds[1], Is.EqualTo(new BindAddress("::1", true)));
            Assert.That(options.MaxClients, Is.EqualTo(7));
        });
    }

    [Test]
    public void Adds_up_output_buffer_limits_by_class()
    {
        var file = _files.Write(
            "limits.conf",
            "client-output-buffer-limit normal 1mb 2kb 3\nclient-output-buffer-limit slave 0 0 0\n");
        var options = Loading.Load([file]).Options;
        Assert.Multiple(() =>
        {
            Assert.That(options.NormalOutputBufferLimit, Is.EqualTo(new OutputBufferLimit(1 << 20, 2048, 3)));
            Assert.That(options.ReplicaOutputBufferLimit, Is.EqualTo(default(OutputBufferLimit)));
            Assert.That(options.PubSubOutputBufferLimit, Is.EqualTo(new OutputBufferLimit(32 << 20, 8 << 20, 60)));
        });
    }

    [Test]
    public void Reads_included_files_in_place_and_patterns_in_order()
    {
        _files.Write("inc/b.conf", "port 2\ntimeout 2\n");
        _files.Write("inc/a.conf", "port 1\n");
        _files.Write("inc/.hidden.conf", "port 9\n");
        var file = _files.Write(
            "outer.conf",
            $"hz 1\ninclude {_files.Path}/i?c/*.conf\ninclude {_files.Path}/none/*.conf\ntimeout 3\n");
        var options = Loading.Load([file]).Options;
        Assert.That((options.Hz, options.Port, options.TimeoutSeconds), Is.EqualTo((1, 2, 3)));
    }

    [Test]
    public void Names_the_included_file_that_is_missing_or_includes_itself()
    {
        var missing = _files.Write("missing.conf", $"include {_files.Path}/nothing.conf\n");
        var circular = _files.Write("circular.conf", $"include {_files.Path}/circular.conf\n");
        Assert.That(Loading.Error([missing]), Does.Contain("nothing.conf: No such file or directory"));
        Assert.That(Loading.Error([circular]), Does.Contain("circular.conf includes itself"));
    }

    [TestCase("port", "wrong number of arguments; port takes: number 0..65535")]
    [TestCase("port 1 2", "wrong number of arguments; port takes: number 0..65535")]
    [TestCase("port abc", "argument couldn't be parsed into an integer; port takes: number 0..65535")]
    [TestCase("save 900", "Invalid save parameters; save takes: seconds changes ...")]
    [TestCase("dbfilename a/b", "dbfilename can't be a path, just a filename; dbfilename takes: file name")]
    [TestCase("port 65536", "argument must be between 0 and 65535 inclusive; port takes: number 0..65535")]
    [TestCase(
        "shards 3",
        "argument must be a power of two between 1 and 256 inclusive; shards takes: power of two 1..256")]
    public void Names_file_and_line_of_an_error(string line, string error)
    {
        var file = _files.Write("bad.conf", $"timeout 1\n\n{line}\n");
        Assert.That(Loading.Error([file]), Is.EqualTo($"{file}, line 3, '{line}': {error}"));
    }

    /// <summary>The word alone: what stands behind it may be a secret.</summary>
    [TestCase("maxmemroy 1gb", "bad directive or wrong number of arguments; did you mean maxmemory?")]
    [TestCase("xyzzyxyzzy 1", "bad directive or wrong number of arguments")]
    [TestCase("port \"1", "unbalanced quotes in configuration line")]
    public void Names_the_word_of_a_line_that_it_does_not_understand(string line, string error)
    {
        var file = _files.Write("bad.conf", $"timeout 1\n\n{line}\n");
        Assert.That(Loading.Error([file]), Is.EqualTo($"{file}, line 3, '{line.Split(' ')[0]} ...': {error}"));
    }

    [Test]
    public void Warns_of_what_redis_would_do_by_rank_and_by_value()
    {
        var file = _files.Write(
            "redis.conf",
            "save 3600 1 300 100\nSAVE 60 10000\nport 7000\ntls-cluster yes\nlist-max-ziplist-entries -2\n"
            + "cluster-enabled no\ncluster-enabled yes\ntls-replication yes\nio-threads 4\nmasterauth secret\n"
            + "lazyfree-lazy-eviction YES\nsearch.threads 3\nallow-unsupported tls-cluster TLS-Replication\n");
        var loaded = Loading.Load([file]);
        Assert.That(loaded.Options.Port, Is.EqualTo(7000));
        Assert.That(loaded.Options.SavePoints, Has.Count.EqualTo(3));
        Assert.That(loaded.Warnings, Is.EqualTo(new[]
        {
            "DATA WILL BE LOST, OR IS OUT OF REACH, that is to be kept or found elsewhere. Not supported, and without "
            + "effect: cluster-enabled yes.",
            "SECURITY: access is NOT restricted by tls-cluster, tls-replication, which is not supported: use bind, "
            + "requirepass or a firewall.",
            "Not supported, without effect, and harmless: io-threads 4, masterauth, lazyfree-lazy-eviction yes, "
            + "search.threads.",
        }));
    }

    [TestCase("cluster-enabled yes\ncluster-enabled no")]
    [TestCase("repl-backlog-size 1024KB")]
    [TestCase("slaveof no one")]
    [TestCase("appendfsync EverySec\nio-threads 1\nhash-max-ziplist-entries 512")]
    [TestCase("oom-score-adj-values 0 200 800\nmaxmemory-clients 0%\nserver-cpulist \"\"")]
    public void Takes_without_a_word_what_changes_nothing(string lines)
        => Assert.That(Loading.Load([_files.Write("neutral.conf", lines + "\n")]).Warnings, Is.Empty);

    [Test]
    public void Lets_a_flag_take_back_what_a_line_says()
    {
        var file = _files.Write("docker.conf", "cluster-enabled yes\nsave 60 1\ntls-cluster yes\n");
        Assert.That(
            Loading.Load([file, "--cluster-enabled", "no", "--save", "", "--tls-cluster", "no"]).Warnings, Is.Empty);
        Assert.That(
            Loading.Load([file, "--save", "300 1"], ("STRATA_TLS_CLUSTER", "no")).Warnings,
            Is.EqualTo(new[]
            {
                "DATA WILL BE LOST, OR IS OUT OF REACH, that is to be kept or found elsewhere. Not supported, and "
                + "without effect: cluster-enabled yes.",
            }));
    }

    /// <summary>As in Redis: the first line takes the place of the default, and others add to it.</summary>
    [TestCase("", "3600 1 300 100 60 10000")]
    [TestCase("save 900 1", "900 1")]
    [TestCase("save 900 1\nsave 300 10 60 10000\nport 7000", "900 1 300 10 60 10000")]
    [TestCase("save 900 1\nsave \"\"", "")]
    [TestCase("save \"\"\nsave 900 1", "900 1")]
    public void Save_points_add_up(string lines, string expected)
    {
        var options = Loading.Load([_files.Write("save.conf", lines + "\n")]).Options;
        Assert.That(
            string.Join(' ', options.SavePoints.Select(point => $"{point.Seconds} {point.Changes}")),
            Is.EqualTo(expected));
    }

    [TestCase("cluster-enabled maybe", "argument must be 'yes' or 'no'; cluster-enabled takes: yes or no")]
    [TestCase("replicaof there", "wrong number of arguments; replicaof takes: host port")]
    public void Refuses_what_redis_would_not_take_either(string line, string error)
    {
        var file = _files.Write("wrong.conf", $"{line}\n");
        Assert.That(Loading.Error([file]), Is.EqualTo($"{file}, line 1, {line.Split(' ')[0]}: {error}"));
    }

    [TestCase("tls-replication yes", "tls-replication")]
    [TestCase("TLS-Cluster yes", "tls-cluster")]
    public void Starts_without_no_restriction_unless_told_to(string line, string name)
    {
        var file = _files.Write("open.conf", $"cluster-enabled yes\n{line}\n");
        Assert.That(
            Loading.Error([file]),
            Does.StartWith($"{file}, line 2, {line.Split(' ')[0]}: restricts access")
                .And.EndWith($"--allow-unsupported \"{name}\""));
        Assert.That(
            Loading.Load([file, "--allow-unsupported", name]).Warnings[1],
            Does.Contain($"access is NOT restricted by {name},"));
        Assert.That(Loading.Error([file, "--allow-unsupported", "cluster-enabled"]), Does.Contain("restricts access"));
        Assert.That(Loading.Error([file, "--allow-unsupported", "port"]), Does.Contain("port is no directive that"));
    }

    [TestCase("daemonize yes", "start it by systemd (conf/strata.service), in a container, or from a shell")]
    [TestCase("syslog-enabled YES", "let journald take its standard output")]
    public void Does_not_start_with_what_it_cannot_do(string line, string remedy)
    {
        var name = line.Split(' ')[0];
        var file = _files.Write("impossible.conf", $"cluster-enabled yes\n{line}\n");
        Assert.That(
            Loading.Error([file]),
            Does.StartWith($"{file}, line 2, {name}: the server does not ")
                .And.Contain($"--{name} no").And.Contain(remedy));
        Assert.That(Loading.Error([$"--{name}", "yes"]), Does.Contain(remedy));
        Assert.That(Loading.Load([file, $"--{name}", "no"]).Warnings, Has.Count.EqualTo(1), "of cluster-enabled alone");
    }

    [TestCase("aclfile \"\"")]
    [TestCase("tls-cluster no")]
    [TestCase("tls-replication no")]
    [TestCase("acl-pubsub-default resetchannels")]
    public void Lets_pass_what_restricts_nothing(string line)
    {
        Assert.That(Loading.Load([_files.Write("off.conf", $"{line}\n")]).Warnings, Is.Empty);
    }

    [Test]
    public void Users_are_gathered()
    {
        var file = _files.Write("users.conf", "user a on >x ~\"b\\\"c\"\nUSER b off\n");
        var users = Loading.Load([file, "--user", "c on", "--user", "d", "on", "nopass"]).Users;
        Assert.That(
            users.Select(user => $"{user.Name}: {string.Join('|', user.Rules)}"),
            Is.EqualTo(new[] { "a: on|>x|~b\"c", "b: off", "c: on", "d: on|nopass" }));
        Assert.That(
            Loading.Error([file, "--user", "a on"]),
            Is.EqualTo("Flag --user: Error in user declaration 'a': Duplicate user found. A user can only be defined "
                + "once in config files"));
        Assert.That(Loading.Error([file, "--aclfile", "users.acl"]), Does.Contain("define them in one of the two"));
    }

    [Test]
    public void Loads_debians_redis_conf()
    {
        const string DebianFile = "/etc/redis/redis.conf";
        Assume.That(DebianFile, Does.Exist, "redis-server is not installed");
        var loaded = Loading.Load([DebianFile, "--daemonize", "no"]); // As Debian's own unit starts Redis with it.
        Assert.That(loaded.Warnings, Is.Empty);
        Assert.That(loaded.Options.PidFilePath, Is.EqualTo("/run/redis/redis-server.pid"));
        Assert.That(loaded.Options.LogFilePath, Is.EqualTo("/var/log/redis/redis-server.log"));
    }
}
