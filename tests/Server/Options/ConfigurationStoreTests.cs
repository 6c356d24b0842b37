using NUnit.Framework;
using Strata.Server.Options;
using Strata.Server.Options.Keys;

namespace Strata.Tests.Server.Options;

public sealed class ConfigurationStoreTests
{
    private const string Failed = "CONFIG SET failed (possibly related to argument '";

    // The texts are those of redis-server 7.0.15.
    [TestCase("Unknown option or number of arguments for CONFIG SET - 'foo'", "foo", "1")]
    [TestCase("Unknown option or number of arguments for CONFIG SET - 'foo'", "foo", "1", "maxmemory", "1z")]
    [TestCase(Failed + "databases') - can't set immutable config", "databases", "3", "foo", "1")]
    [TestCase(Failed + "dir') - can't set protected config", "dir", "/tmp")]
    [TestCase(Failed + "MAXMEMORY') - duplicate parameter", "maxmemory", "1mb", "MAXMEMORY", "2mb")]
    [TestCase(Failed + "io-threads') - can't set immutable config", "io-threads", "1")]
    [TestCase(Failed + "dbfilename') - can't set protected config", "dbfilename", "dump.rdb")]
    [TestCase(Failed + "save') - Invalid save parameters", "save", "900")]
    [TestCase(Failed + "save') - Invalid save parameters", "save", "900 1 ")]
    [TestCase(Failed + "dbfilename') - can't set protected config", "dbfilename", "a/b.rdb")]
    [TestCase(Failed + "lazyfree-lazy-eviction') - not supported by Strata, which takes only 'no'", "timeout", "1",
        "lazyfree-lazy-eviction", "YES")]
    [TestCase(Failed + "slave-priority') - argument must be between 0 and 2147483647 inclusive", "SLAVE-priority",
        "-1")]
    [TestCase(Failed + "maxmemory-clients') - argument must be a memory or percent value", "maxmemory-clients", "x%")]
    [TestCase(Failed + "maxmemory-clients') - percentage argument must be less or equal to 100", "maxmemory-clients",
        "101%")]
    [TestCase(Failed + "hash-max-ziplist-value') - argument must be a memory value", "HASH-max-ziplist-value", "x")]
    [TestCase(Failed + "maxmemory') - argument must be a memory value", "MAXMEMORY", "1q")]
    [TestCase(Failed + "maxmemory') - argument must be a memory value", "maxmemory", "-1")]
    [TestCase(Failed + "timeout') - argument couldn't be parsed into an integer", "timeout", " 5")]
    [TestCase(Failed + "timeout') - argument couldn't be parsed into an integer", "timeout", "05")]
    [TestCase(Failed + "timeout') - argument must be between 0 and 2147483647 inclusive", "timeout", "-1")]
    [TestCase(
        Failed + "proto-max-bulk-len') - argument must be between 1048576 and 1073741823 inclusive",
        "proto-max-bulk-len",
        "1")]
    [TestCase(Failed + "protected-mode') - argument must be 'yes' or 'no'", "protected-mode", "maybe")]
    [TestCase(
        Failed + "loglevel') - argument(s) must be one of the following: debug, verbose, notice, warning, nothing",
        "loglevel",
        "loud")]
    [TestCase(
        Failed + "client-output-buffer-limit') - Wrong number of arguments in buffer limit configuration.",
        "client-output-buffer-limit",
        "normal 1 2")]
    [TestCase(
        Failed + "client-output-buffer-limit') - Invalid client class specified in buffer limit configuration.",
        "client-output-buffer-limit",
        "foo 1 2 3")]
    [TestCase(
        Failed + "client-output-buffer-limit') - "
            + "Error in hard, soft or soft_seconds setting in buffer limit configuration.",
        "client-output-buffer-limit",
        "normal 1 2 x")]
    [TestCase(
        Failed + "latency-tracking-info-percentiles') - "
            + "latency-tracking-info-percentiles parameters should sit between [0.0,100.0]",
        "latency-tracking-info-percentiles",
        "50 101")]
    [TestCase(
        Failed + "latency-tracking-info-percentiles') - Invalid latency-tracking-info-percentiles parameters",
        "latency-tracking-info-percentiles",
        "x")]
    public void Refuses_in_redis_words(string error, params string[] arguments)
    {
        var store = new ConfigurationStore(ServerOptions.Defaults, null);
        Assert.That(store.TrySet(Pairs(arguments), false, out var given), Is.False);
        Assert.That(given, Is.EqualTo(error));
        Assert.That(store.Current, Is.SameAs(ServerOptions.Defaults));
    }

    [TestCase("maxmemory", "1gb", "1073741824")]
    [TestCase("maxmemory", "1g", "1000000000")]
    [TestCase("maxmemory", "", "0")]
    [TestCase("save", "", "")]
    [TestCase("save", "900 1 300 10", "900 1 300 10")]
    [TestCase("save", "900 ", "900 0")]
    [TestCase("save", "900 1 300 ", "900 1 300 0")]
    [TestCase("appendonly", "NO", "no")]
    [TestCase("repl-backlog-size", "1024kb", "1048576")]
    [TestCase("min-slaves-max-lag", "10", "10")]
    [TestCase("hash-max-ziplist-value", "1kb", "1024")]
    [TestCase("use-exit-on-panic", "no", "no")]
    [TestCase("hz", "1000", "500")]
    [TestCase("hz", "0", "1")]
    [TestCase("protected-mode", "NO", "no")]
    [TestCase("maxmemory-policy", "AllKeys-LFU", "allkeys-lfu")]
    [TestCase("latency-tracking-info-percentiles", "50 99.900 0", "50 99.9 0")]
    [TestCase("latency-tracking-info-percentiles", "", "")]
    [TestCase(
        "client-output-buffer-limit",
        "replica 1mb 1 1",
        "normal 0 0 0 slave 1048576 1 1 pubsub 33554432 8388608 60")]
    public void Prints_what_was_set_as_redis_does(string name, string value, string printed)
    {
        var store = new ConfigurationStore(ServerOptions.Defaults, null);
        Assert.That(store.TrySet(Pairs(name, value), false, out var error), Is.True, error);
        Assert.That(store.Get([name]), Is.EqualTo(Pairs(name, printed)));
    }

    [Test]
    public void Sets_several_keys_at_once_or_none()
    {
        var store = new ConfigurationStore(ServerOptions.Defaults, null);
        Assert.That(store.TrySet(Pairs("maxmemory", "1mb", "timeout", "x"), false, out _), Is.False);
        Assert.That(store.Current.MaxMemoryBytes, Is.Zero);
        Assert.That(store.TrySet(Pairs("maxmemory", "1mb", "timeout", "9"), false, out _), Is.True);
        Assert.That((store.Current.MaxMemoryBytes, store.Current.TimeoutSeconds), Is.EqualTo((1L << 20, 9)));
    }

    [Test]
    public void Takes_a_word_and_its_other_name_as_two()
    {
        var store = new ConfigurationStore(ServerOptions.Defaults, null);
        var pairs = Pairs("hash-max-listpack-entries", "3", "hash-max-ziplist-entries", "4");
        Assert.That(store.TrySet(pairs, false, out var error), Is.True, error);
        Assert.That(store.Get(["hash-max-*-entries"]), Is.EqualTo(
            Pairs("hash-max-listpack-entries", "4", "hash-max-ziplist-entries", "4")));
    }

    [Test]
    public void Sets_what_is_protected_for_those_who_may()
    {
        var store = new ConfigurationStore(ServerOptions.Defaults, null);
        Assert.That(store.TrySet(Pairs("dir", "/tmp", "dbfilename", "dump.rdb"), true, out var error), Is.True, error);
        Assert.That(store.Get(["dir"]), Is.EqualTo(Pairs("dir", "/tmp")));
    }

    [Test]
    public void Applies_in_the_order_given_and_what_serves_two_keys_once()
    {
        var store = new ConfigurationStore(ServerOptions.Defaults, null);
        var applied = new List<string>();
        string? Both(ServerOptions previous, ServerOptions next)
        {
            applied.Add("both");
            return null;
        }

        store.Subscribe(NetworkKeys.Bind, Both);
        store.Subscribe(NetworkKeys.Port, Both);
        store.Subscribe(NetworkKeys.Timeout, (_, _) =>
        {
            applied.Add("timeout");
            return null;
        });
        var set = store.TrySet(Pairs("timeout", "1", "port", "1", "bind", "::1"), false, out var error);
        Assert.That(set, Is.True, error);
        Assert.That(applied, Is.EqualTo(new[] { "timeout", "both" }));
    }

    [Test]
    public void Finds_hidden_words_by_their_full_name_only()
    {
        var store = new ConfigurationStore(ServerOptions.Defaults, null);
        Assert.That(store.Get(["watchdog-*"]), Is.Empty);
        Assert.That(store.Get(["Watchdog-period"]), Is.EqualTo(Pairs("Watchdog-period", "0")));
    }

    [Test]
    public void Takes_back_what_was_applied_when_a_subscriber_refuses()
    {
        var store = new ConfigurationStore(ServerOptions.Defaults, null);
        var applied = new List<long>();
        store.Subscribe(MemoryKeys.MaxMemory, (_, next) =>
        {
            applied.Add(next.MaxMemoryBytes);
            return null;
        });
        store.Subscribe(NetworkKeys.Timeout, (_, _) => "no time");
        Assert.That(store.TrySet(Pairs("maxmemory", "1mb", "timeout", "5"), false, out var error), Is.False);
        Assert.That(error, Is.EqualTo(Failed + "timeout') - no time"));
        Assert.That(applied, Is.EqualTo(new[] { 1L << 20, 0L }));
        Assert.That(store.Current, Is.SameAs(ServerOptions.Defaults));
    }

    [Test]
    public void Does_not_call_a_subscriber_whose_value_stays()
    {
        var store = new ConfigurationStore(ServerOptions.Defaults, null);
        store.Subscribe(NetworkKeys.Timeout, (_, _) => "called");
        Assert.That(store.TrySet(Pairs("timeout", "0"), false, out var error), Is.True, error);
    }

    [Test]
    public void Gets_each_match_once_and_plain_names_as_they_were_spelled()
    {
        var store = new ConfigurationStore(ServerOptions.Defaults, null);
        Assert.That(
            store.Get(["PORT", "p*t", "PORT", "Slowlog-*", "nothing"]).Select(pair => pair.Key),
            Is.EqualTo(new[] { "PORT", "slowlog-log-slower-than", "slowlog-max-len" }));
        Assert.That(store.Get(["slave*ip", "*announce-ip", "replica*ip"]).Select(pair => pair.Key), Is.EqualTo(new[]
        {
            "slave-announce-ip", "replica-announce-ip", "cluster-announce-ip",
        }));
    }

    private static List<KeyValuePair<string, string>> Pairs(params string[] arguments) =>
        [.. arguments.Chunk(2).Select(pair => new KeyValuePair<string, string>(pair[0], pair[1]))];
}
