using System.Globalization;
using NUnit.Framework;
using Strata.Storage;
using Strata.Tests.Server.Execution;
using Strata.Tests.Storage.Devices;

namespace Strata.Tests.Server.Commands.Observation;

/// <summary>STRATA PREFIXES. The secrets of the hash are the same in all runs of the tests, and so are the keys that
/// are drawn.</summary>
[TestFixture]
internal sealed class PrefixesTests
{
    private const int Pipelined = 500;

    private static readonly (string Name, int Keys, int Bytes)[] s_prefixes =
    [
        ("user:", 100_000, 20), ("session:", 60_000, 120), ("cart:", 25_000, 700), ("q:", 10_000, 10),
        ("x:", 5000, 2000),
    ];

    private TurnServer _server = null!;
    private TurnClient _client = null!;

    [TearDown]
    public void Stop() => _server.Dispose();

    /// <summary>Of as many keys as shards know by name, all is exact, and what MEMORY USAGE says.</summary>
    [Test]
    public void Of_few_keys_it_is_exact([Values(1, 2)] int workers)
    {
        Start(workers);
        Do([
            "SET user:1:name x", "SET user:2 " + new string('x', 5000), "SET plain y", "SET user:1:age 7", "SELECT 3",
            "RPUSH list:1 a b c", "SET user:9 z", .. Enumerable.Range(0, 2000).Select(i => $"HSET hash:1 f{i} v"),
            "SELECT 0"]);
        var report = Ask();
        Assert.That(report.Prefixes, Has.Count.EqualTo(5));
        Assert.That((report.Keys, report.Seen, report.Unread), Is.EqualTo((7, 7, 0)));
        AssertExact(report["user:"], 3, Usage("user:1:name", "user:2", "user:1:age"));
        AssertExact(report[""], 1, Usage("plain"));
        Do(["SELECT 3"]);
        AssertExact(report["list:", 3], 1, Usage("list:1"));
        AssertExact(report["hash:", 3], 1, Usage("hash:1"));
        AssertExact(report["user:", 3], 1, Usage("user:9"));
        Do(["APPEND user:9 " + new string('x', 300), "LPOP list:1", "HDEL hash:1 f1 f2 f3", "SELECT 0"]);
        report = Ask("DB 3");
        Assert.That((report.Prefixes.Count, report.Keys), Is.EqualTo((3, 3)));
        Do(["SELECT 3"]);
        AssertExact(report["list:", 3], 1, Usage("list:1"));
        AssertExact(report["hash:", 3], 1, Usage("hash:1"));
        AssertExact(report["user:", 3], 1, Usage("user:9"));
    }

    /// <summary>Of many keys the truth is within the bounds that are told, whatever becomes of them.</summary>
    [Test]
    public void Of_many_keys_it_is_within_its_bounds()
    {
        Start(workers: 1);
        var (within, all) = (0, 0);
        var keys = s_prefixes.ToDictionary(
            static prefix => prefix.Name,
            static prefix => Enumerable.Range(0, prefix.Keys).Select(i => Key(prefix.Name, i)).ToList());
        foreach (var (name, _, bytes) in s_prefixes)
        {
            Do(keys[name].Select(key => $"SET {key} {new string('v', bytes)}"));
        }

        AssertHolds("made");
        Do(keys["user:"].Take(30_000).Select(static key => $"SET {key} {new string('v', 900)}"));
        Do(keys["cart:"].Select(static key => $"SET {key} {new string('v', 20)}"));
        AssertHolds("overwritten");
        Do(keys["session:"].Take(50_000).Select(static key => $"DEL {key}"));
        Do(keys["q:"].Take(5000).Select(static key => $"RENAME {key} renamed:{key}"));
        keys["session:"].RemoveRange(0, 50_000);
        keys["renamed:"] = [.. keys["q:"][..5000].Select(static key => "renamed:" + key)];
        keys["q:"].RemoveRange(0, 5000);
        AssertHolds("deleted and renamed");
        Do(keys["user:"].Skip(30_000).Take(60_000).Select(static key => $"PEXPIRE {key} 1000"));
        keys["user:"].RemoveRange(30_000, 60_000);
        AssertHolds("expired");
        Assert.That(within, Is.AtLeast(all * 9 / 10), "19 of 20 are within their bounds");

        void AssertHolds(string when)
        {
            Pass(seconds: 20); // What has become garbage is compacted, and what has expired goes.
            var report = Ask();
            Assert.That(report.Seen, Is.InRange(CensusLimits.SampledKeys / 4, CensusLimits.SampledKeys), when);
            Assert.That(report.Keys, Is.EqualTo(keys.Sum(static prefix => prefix.Value.Count)), when);
            foreach (var (name, ofPrefix) in keys)
            {
                var (prefix, bytes) = (report[name], ofPrefix.Chunk(Pipelined).Sum(Usage));
                Assert.That(prefix.Keys.Holds(ofPrefix.Count, times: 2), $"keys of {name}, {when}");
                Assert.That(prefix.Memory.Holds(bytes, times: 2), $"{bytes} of {name}, {when}, told {prefix.Memory}");
                Assert.That(prefix.Disk, Is.EqualTo(default(PrefixReport.Figure)));
                all += 2;
                within += (prefix.Keys.Holds(ofPrefix.Count) ? 1 : 0) + (prefix.Memory.Holds(bytes) ? 1 : 0);
            }
        }
    }

    /// <summary>A sample that has become small since keys went is made from those that are left.</summary>
    [Test]
    public void When_most_keys_have_gone_the_others_are_found()
    {
        Start(workers: 2);
        Do(Enumerable.Range(0, 100_000).Select(static i => $"SET {Key(i < 5000 ? "few:" : "many:", i)} v"));
        Assert.That(Ask()["few:"].Keys.IsExact, Is.False);
        Do(Enumerable.Range(5000, 95_000).Select(static i => $"DEL {Key("many:", i)}"));
        var report = Ask();
        Assert.That(report.Prefixes, Has.Count.EqualTo(1));
        AssertExact(report["few:"], 5000, 5000 * Usage(Key("few:", 1)));
    }

    [Test]
    public void Databases_that_are_emptied_or_change_places_are_told_of()
    {
        Start(workers: 2);
        Do([
            .. Enumerable.Range(0, 300).Select(static i => $"SET a:{i} v"), "SELECT 1",
            .. Enumerable.Range(0, 200).Select(static i => $"SET b:{i} v"), "SWAPDB 0 1"]);
        Assert.That((Ask()["a:", 1].Keys.Value, Ask()["b:"].Keys.Value), Is.EqualTo((300, 200)));
        Do([.. Enumerable.Range(0, 50).Select(static i => $"MOVE a:{i} 0"), "SELECT 0"]);
        var report = Ask();
        Assert.That((report["a:", 1].Keys.Value, report["a:"].Keys.Value), Is.EqualTo((250, 50)));
        Do(["FLUSHDB"]);
        report = Ask();
        Assert.That((report.Prefixes.Count, report["a:", 1].Keys.Value), Is.EqualTo((1, 250)));
        Do(["FLUSHALL"]);
        Assert.That((Ask().Prefixes.Count, Ask().Keys), Is.EqualTo((0, 0)));
    }

    /// <summary>What goes to the device is told of as disk, by its size; and so is a collection that is packed for it.
    /// </summary>
    [Test]
    public void What_is_on_the_device_counts_as_disk([Values(1, 2)] int workers)
    {
        const int Keys = 4000;
        using var device = new SimulatedDevice(seed: 1, segmentBytes: 1 << 20);
        Start(workers, device);
        Do(Enumerable.Range(0, Keys).Select(static i => Set(i % 4 == 0 ? "few:" : "most:", i)));
        Do(Enumerable.Range(0, 3000).Select(static i => $"HSET hash:1 field:{i} value"));
        var each = Usage(Key("few:", 1000));
        var hash = Ask()["hash:"].Memory.Value;
        Assert.That(hash, Is.EqualTo(Usage("hash:1")));
        Do(["DEBUG TIER-EAGER 1"]);
        Pass(seconds: 1);
        Do(["DEBUG TIER-EAGER 0"]);
        var report = Ask();
        AssertAddsUp(report["few:"], Keys / 4, each);
        AssertAddsUp(report["most:"], Keys / 4 * 3, each);
        Assert.That(report["hash:"].Memory.Value + report["hash:"].Disk.Value, Is.LessThan(hash), "it is packed");
        Assert.That(report["hash:"].Keys.IsExact);
        Assert.That(report["hash:"].Memory.Value + report["hash:"].Disk.Value, Is.EqualTo(Usage("hash:1")));

        // What is read, and written anew, is in memory again.
        Do(Enumerable.Range(0, Keys).Where(static i => i % 4 == 0).Select(static i => Set("few:", i)));
        report = Ask();
        Assert.That(report["few:"].Disk.Value, Is.Zero);
        AssertExact(report["few:"], Keys / 4, Keys / 4 * each);

        static void AssertAddsUp(PrefixReport.Prefix prefix, int keys, long each)
        {
            Assert.That((prefix.Keys.Value, prefix.Keys.IsExact), Is.EqualTo((keys, true)));
            Assert.That(prefix.Disk.Value, Is.GreaterThan(keys * each / 2));
            Assert.That(prefix.Memory.Value + prefix.Disk.Value, Is.EqualTo(keys * each));
        }
    }

    /// <summary>They are made one after the other, and who goes does not hold the others up.</summary>
    [Test]
    public void Many_who_ask_at_once_are_all_answered()
    {
        const int Others = 20;
        Start(workers: 1);
        Do(Enumerable.Range(0, 9000).Select(static i => $"SET {i}:key v"));
        var others = Enumerable.Range(0, Others).Select(_ => _server.Connect()).ToList();
        others.ForEach(static client => client.Send("STRATA PREFIXES COUNT 20", "STRATA BIGKEYS COUNT 1"));
        _server.Turn(0);
        _server.Turn(0);
        others[0].Close();
        var expected = _client.All(2, "STRATA PREFIXES COUNT 20", "STRATA BIGKEYS COUNT 1");
        foreach (var other in others[1..])
        {
            Assert.That(other.Rest(2), Is.EqualTo(expected));
        }
    }

    /// <summary>Evicted keys are told by the seam; what is left adds up.</summary>
    [Test]
    public void Evicted_keys_are_not_told_of()
    {
        Start(1, device: null, "--maxmemory", "8mb", "--maxmemory-policy", "allkeys-lru");
        Do(Enumerable.Range(0, 30_000).Select(static i => $"SET {Key("k:", i)} {new string('v', 400)}"));
        var report = Ask();
        Assert.That(report.Keys, Is.InRange(1000, 20_000));
        Assert.That(report["k:"].Keys.Value, Is.EqualTo(report.Keys));
        Assert.That(report["k:"].Memory.Value / report.Keys, Is.InRange(400, 500));
    }

    [Test]
    public void Separator_and_depth_are_what_is_asked_for()
    {
        Start(workers: 1);
        Do(["SET a:b:c 1", "SET a:b:d 1", "SET a:c 1", "SET a.b.c 1", "SET x--y--z 1", "SET x--y--w 1"]);
        Assert.That(Names(""), Is.EquivalentTo(new[] { "a:", "" }));
        Assert.That(Names("DEPTH 2"), Is.EquivalentTo(new[] { "a:b:", "a:", "" }));
        Assert.That(Names("DEPTH 1000000 SEP --"), Is.EquivalentTo(new[] { "x--y--", "" }));
        Assert.That(Names("sep . count 1"), Is.EquivalentTo(new[] { "" }));
        Do([$"SET {new string('l', 95)}:{new string('m', 50)} v", $"SET {new string('m', 96)}:x v"]);
        Assert.That(Names(""), Is.EquivalentTo(new[] { "a:", "", new string('l', 95) + ":" }));

        List<string> Names(string options) => [.. Ask(options).Prefixes.Select(static prefix => prefix.Name)];
    }

    [TestCase("STRATA PREFIXES SEP", "-ERR syntax error")]
    [TestCase("STRATA PREFIXES BY x", "-ERR syntax error")]
    [TestCase("STRATA PREFIXES DEPTH 0", "-ERR DEPTH should be greater than 0")]
    [TestCase("STRATA PREFIXES COUNT x", "-ERR COUNT should be greater than 0")]
    [TestCase("STRATA PREFIXES SEP 12345678901234567", "-ERR SEP should have 1 to 16 bytes")]
    [TestCase("STRATA PREFIXES DB 16", "-ERR DB index is out of range")]
    [TestCase("STRATA BIGKEYS DB -1", "-ERR DB index is out of range")]
    [TestCase("STRATA BIGKEYS SEP :", "-ERR syntax error")]
    [TestCase("STRATA BIGKEYS COUNT 0", "-ERR COUNT should be greater than 0")]
    public void What_is_wrong_is_refused(string command, string reply)
    {
        Start(workers: 1);
        _client.Expect([command], reply);
    }

    /// <summary>Who may not read keys does not learn of them, nor of what they take.</summary>
    [Test]
    public void A_user_is_told_of_keys_that_it_may_read()
    {
        Start(workers: 1);
        Do(["SET mine:1 v", "SET theirs:1 v", "ACL SETUSER some on >p %R~mine:* +strata", "ACL SETUSER no on >p ~*"]);
        var other = _server.Connect();
        other.Expect(["AUTH some p"], "+OK");
        var report = new PrefixReport(other.Call("STRATA PREFIXES")[0]);
        Assert.That(report.Prefixes.Select(static prefix => prefix.Name), Is.EqualTo(new[] { "mine:" }));
        Assert.That(other.Call("STRATA BIGKEYS")[0], Does.Contain("$mine:1").And.Not.Contain("theirs"));
        other.Expect(["AUTH no p"], "+OK");
        Assert.That(other.Call("STRATA PREFIXES")[0], Does.StartWith("-NOPERM"));
    }

    /// <summary>Thousands of patterns to look at for each key take steps, as do thousands of prefixes.</summary>
    [Test]
    public void For_a_user_of_many_patterns_it_goes_on_in_steps()
    {
        Start(workers: 1);
        var other = _server.Connect();
        Do(Enumerable.Range(0, 300).Select(static i => $"SET {i}:x v"));
        var patterns = string.Join(' ', Enumerable.Range(0, 2000).Select(static i => $"~*a{i}*b"));
        Do([$"ACL SETUSER many on >p {patterns} +@all"]);
        Assert.That(_client.CallBesides(other, "STRATA PREFIXES COUNT 10000")[0], Does.Contain("$1:"));
        _client.Expect(["AUTH many p"], "+OK");
        Assert.That(_client.CallBesides(other, "STRATA PREFIXES")[0], Does.EndWith("$prefixes []]"));
    }

    private static string Key(string prefix, int number)
        => prefix + number.ToString("D6", CultureInfo.InvariantCulture);

    private static string Set(string prefix, int number) => $"SET {Key(prefix, number)} {new string('v', 1000)}";

    private static void AssertExact(PrefixReport.Prefix prefix, long keys, long bytes)
    {
        Assert.That((prefix.Keys.Value, prefix.Memory.Value), Is.EqualTo((keys, bytes)), prefix.Name);
        Assert.That(prefix.Keys.IsExact && prefix.Memory.IsExact && prefix.Disk.IsExact, prefix.Name);
    }

    private void Start(int workers, SimulatedDevice? device = null, params string[] arguments)
    {
        _server = new TurnServer(workers, device: device, arguments: arguments);
        _client = _server.Connect();
    }

    private void Do(IEnumerable<string> commands)
    {
        foreach (var some in commands.Chunk(Pipelined))
        {
            Assert.That(_client.All(some.Length, some), Has.None.StartsWith("-"));
        }
    }

    private void Pass(int seconds)
    {
        for (var tenths = 0; tenths < 10 * seconds; tenths++)
        {
            _server.Clock.AdvanceMs(100);
            _server.Settle();
        }
    }

    private PrefixReport Ask(string options = "")
        => new(_client.Call($"STRATA PREFIXES {options}".TrimEnd())[0]);

    private long Usage(params string[] keys)
        => _client.All(keys.Length, [.. keys.Select(static key => $"MEMORY USAGE {key}")])
            .Sum(static reply => long.Parse(reply[1..], CultureInfo.InvariantCulture));
}
