using System.Globalization;
using System.Text.RegularExpressions;
using NUnit.Framework;
using Strata.Tests.Server.Execution;

namespace Strata.Tests.Server.Journal;

/// <summary>What the journal is told of commands: what they did, so that it can be done again elsewhere and later.
/// Whatever the number of workers, it is told in the order in which it was done.</summary>
[TestFixture(1)]
[TestFixture(3)]
internal sealed class EffectsTests(int workers)
{
    private const string Select = "SELECT 0";

    private TurnServer _server = null!;
    private TurnClient _client = null!;
    private EffectLog _log = null!;

    [SetUp]
    public void StartServer()
    {
        _server = new TurnServer(workers);
        _client = _server.Connect();
        _log = new EffectLog(_server);
    }

    [TearDown]
    public void StopServer()
    {
        _log.Dispose();
        _server.Dispose();
    }

    [Test]
    public void What_changes_something_is_told_as_it_was_sent()
    {
        _ = _client.Call(
            "SET a 1", "GET a", "INCR a", "DEL missing", "SET a 2 NX", "rpush l x y", "TYPE l", "LPOP l 1");
        Assert.That(_log.Take(), Is.EqualTo((string[])[Select, "SET a 1", "INCR a", "RPUSH l x y", "LPOP l 1"]));
    }

    [Test]
    public void A_database_is_selected_where_it_is_another()
    {
        _ = _client.Call("SET a 1", "SELECT 3", "SET b 1", "SET c 1", "SELECT 0", "SWAPDB 0 3", "SET d 1");
        Assert.That(_log.Take(), Is.EqualTo((string[])
            [Select, "SET a 1", "SELECT 3", "SET b 1", "SET c 1", Select, "SWAPDB 0 3", "SET d 1"]));
    }

    [TestCase("SET k v EX 100", "SET k v PXAT {now+100000}")]
    [TestCase("SET k v PX 500 GET", "SET k v PXAT {now+500}")]
    [TestCase("SETEX k 100 v", "SET k v PXAT {now+100000}")]
    [TestCase("PSETEX k 1000 v", "SET k v PXAT {now+1000}")]
    [TestCase("SET s w KEEPTTL", "SET s w KEEPTTL")]
    [TestCase("GETSET s w", "SET s w")]
    [TestCase("GETDEL s", "DEL s")]
    [TestCase("GETEX s EX 10", "PEXPIREAT s {now+10000}")]
    [TestCase("GETEX s EXAT 1", "DEL s")]
    [TestCase("GETEX e PERSIST", "PERSIST e")]
    [TestCase("GETEX s", "")]
    [TestCase("INCRBYFLOAT n 0.5", "SET n 5.5 KEEPTTL")]
    [TestCase("EXPIRE s 10", "PEXPIREAT s {now+10000}")]
    [TestCase("PEXPIRE s 500 NX", "PEXPIREAT s {now+500}")]
    [TestCase("EXPIRE s -1", "DEL s")]
    [TestCase("EXPIREAT s 1", "DEL s")]
    [TestCase("EXPIRE missing 10", "")]
    [TestCase("PERSIST e", "PERSIST e")]
    [TestCase("SPOP one", "SREM one m")]
    [TestCase("SPOP one 5", "DEL one")]
    [TestCase("BLPOP missing l 0", "LPOP l")]
    [TestCase("BRPOP l 0", "RPOP l")]
    [TestCase("LMPOP 2 missing l RIGHT COUNT 2", "RPOP l 2")]
    [TestCase("BLMPOP 0 1 l LEFT", "LPOP l 1")]
    [TestCase("BLMOVE l l2 LEFT RIGHT 0", "LMOVE l l2 LEFT RIGHT")]
    [TestCase("BRPOPLPUSH l l2 0", "LMOVE l l2 RIGHT LEFT")]
    [TestCase("BRPOPLPUSH l s 0", "")]
    [TestCase("BZPOPMIN missing z 0", "ZPOPMIN z 1")]
    [TestCase("ZMPOP 1 z MAX COUNT 3", "ZPOPMAX z 3")]
    [TestCase("ZPOPMIN z 0", "")]
    [TestCase("HINCRBYFLOAT h f 0.25", "HSET h f 1.25")]
    [TestCase("HEXPIRE h 10 FIELDS 1 f", "HPEXPIREAT h {now+10000} FIELDS 1 f")]
    [TestCase("HEXPIREAT h 1 FIELDS 2 f missing", "HDEL h f")]
    [TestCase("HPEXPIRE h 10 XX FIELDS 1 f", "")]
    [TestCase("RENAME s t", "RENAME s t")]
    [TestCase("MSET a 1 b 2 c 3", "MSET a 1 b 2 c 3")]
    [TestCase("SINTERSTORE d one one", "SINTERSTORE d one one")]
    [TestCase("SORT l ALPHA STORE d", "SORT l ALPHA STORE d")]
    [TestCase("FLUSHALL", "FLUSHALL")]
    [TestCase("COPY s t", "COPY s t")]
    [TestCase("EVAL return 0", "")]
    public void Is_told_what_was_done(string command, string effect)
    {
        _ = _client.Call(
            "SET s v", "SET e v EX 100", "SET n 5", "SADD one m", "RPUSH l 1 2 3", "ZADD z 1 a 2 b", "HSET h f 1");
        _ = _log.Take();
        _ = _client.Call(command);
        var told = _log.Take().Select(WithoutTime).ToList();
        Assert.That(told, Is.EqualTo(effect.Length == 0 ? [] : (string[])[effect]));
    }

    [Test]
    public void A_member_that_was_drawn_is_told()
    {
        _ = _client.Call("SADD s 1 2 3 4 5 6 7 8");
        _ = _log.Take();
        var popped = _client.Call("SPOP s 3")[0];
        var told = _log.Take();
        Assert.That(told, Has.Count.EqualTo(1));
        var words = told[0].Split(' ');
        Assert.That(words[..2], Is.EqualTo((string[])["SREM", "s"]));
        Assert.That(words[2..], Has.Length.EqualTo(3).And.All.Matches<string>(word => popped.Contains(word)));
    }

    [Test]
    public void What_expires_is_told_where_it_is_found()
    {
        _ = _client.Call("SET a 1 PX 10", "SET b 1 PX 10", "HSET h f 1 g 2", "HPEXPIRE h 10 FIELDS 1 f");
        _ = _log.Take();
        _server.Clock.AdvanceMs(20);
        _client.Expect(["GET a", "HGETALL h"], "nil", "[$g $2]");
        Assert.That(_log.Take(), Is.SupersetOf((string[])["DEL a", "HDEL h f"]));
    }

    [Test]
    public void A_command_and_what_it_found_expired_are_one()
    {
        _ = _client.Call("SET a 1 PX 10", "DEBUG SET-ACTIVE-EXPIRE 0");
        _ = _log.Take();
        _server.Clock.AdvanceMs(20);
        _ = _client.Call("APPEND a x");
        Assert.That(_log.Take(), Is.EqualTo((string[])["MULTI", "DEL a", "APPEND a x", "EXEC"]));
    }

    [Test]
    public void A_transaction_is_one()
    {
        _ = _client.Call("MULTI", "SET a 1", "GET a", "SELECT 2", "SET b 2", "EXEC", "MULTI", "GET b", "EXEC",
            "MULTI", "INCR c", "EXEC");
        Assert.That(_log.Take(), Is.EqualTo((string[])
            [Select, "MULTI", "SET a 1", "SELECT 2", "SET b 2", "EXEC", "INCR c"]));
    }

    [Test]
    public void A_script_is_what_it_has_done()
    {
        var client = _server.Connect();
        client.SendRaw(
            "EVAL \"redis.call('SET', KEYS[1], 1); redis.call('GET', KEYS[1]); redis.pcall('LPUSH', KEYS[1], 2); "
            + "redis.call('SET', 'other', ARGV[1], 'EX', 10)\" 1 a x\r\n");
        _server.Settle();
        Assert.That(_log.Take().Select(WithoutTime), Is.EqualTo((string[])
            [Select, "MULTI", "SET a 1", "SET other x PXAT {now+10000}", "EXEC"]));
    }

    [Test]
    public void Who_waited_is_told_behind_whom_he_waited_for()
    {
        var waiter = _server.Connect();
        _ = waiter.Call("BLMOVE l m LEFT LEFT 0");
        _ = _client.Call("RPUSH l x");
        _ = _client.Call("RPUSH m y");
        Assert.That(_log.Take(), Is.EqualTo((string[])
            [Select, "RPUSH l x", "LMOVE l m LEFT LEFT", "RPUSH m y"]));
    }

    [Test]
    public void Functions_are_told()
    {
        _client.SendRaw("FUNCTION LOAD \"#!lua name=lib\\nredis.register_function('f', function() return 1 end)\"\r\n"
            + "FUNCTION LOAD \"#!lua name=bad\\nnonsense\"\r\nFUNCTION DELETE lib\r\nFUNCTION FLUSH\r\n");
        _server.Settle();
        var told = _log.Take();
        Assert.That(
            told.Select(command => command.Split(' ')[1]), Is.EqualTo((string[])["0", "LOAD", "DELETE", "FLUSH"]));
    }

    /// <summary>An argument may be larger than the memory in which effects go to the journal.</summary>
    [Test]
    public void Large_arguments_arrive_whole()
    {
        var value = string.Concat(Enumerable.Range(0, 50_000).Select(i => $"{i},"));
        _ = _client.Call($"SET a {value}", "SET b 1", $"MSET c {value} d {value}");
        Assert.That(_log.Take(), Is.EqualTo((string[])
            [Select, $"SET a {value}", "SET b 1", $"MSET c {value} d {value}"]));
    }

    [Test]
    public void Memory_goes_when_effects_are_taken()
    {
        _ = _client.Call([.. Enumerable.Range(0, 2000).Select(i => $"SET k{i} {new string('v', 300)}")]);
        Assert.That(_log.Journal.QueuedBytes, Is.GreaterThan(600_000));
        Assert.That(_log.Take(), Has.Count.EqualTo(2001));
        Assert.That(_log.Journal.QueuedBytes, Is.LessThan(300_000));
    }

    /// <summary>Also when nothing follows: while much is held, changes wait for it to go.</summary>
    [Test]
    public void Memory_of_a_large_effect_goes_when_it_is_taken()
    {
        _ = _client.Call($"SET a {new string('v', 300_000)}");
        Assert.That(_log.Journal.QueuedBytes, Is.GreaterThan(300_000));
        Assert.That(_log.Take(), Has.Count.EqualTo(2));
        Assert.That(_log.Journal.QueuedBytes, Is.LessThan(100_000));
    }

    /// <summary>A text with times as they are from now on; the clock runs on a little while commands are executed.
    /// </summary>
    private string WithoutTime(string text) => Regex.Replace(text, "[0-9]{13}", match =>
    {
        var left = long.Parse(match.Value, CultureInfo.InvariantCulture) - _server.Clock.NowMs;
        return $"{{now+{(left + 250) / 500 * 500}}}";
    });
}
