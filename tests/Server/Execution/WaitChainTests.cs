using NUnit.Framework;

namespace Strata.Tests.Server.Execution;

/// <summary>Clients that wait for what others wait to move on: all of it has been done, and all have been answered,
/// before whoever pushed the first element executes another command.</summary>
[TestFixture(1)]
[TestFixture(2)]
[TestFixture(3)]
internal sealed class WaitChainTests(int workers)
{
    private TurnServer _server = null!;
    private List<TurnClient> _waiting = null!;
    private TurnClient _client = null!;

    [SetUp]
    public void SetUp()
    {
        _server = new TurnServer(workers);
        _waiting = [];
    }

    [TearDown]
    public void TearDown() => _server.Dispose();

    [TestCase("LPUSH a x")]
    [TestCase("RPUSH z x|RPOPLPUSH z a")]
    [TestCase("RPUSH z x|RENAME z a")]
    [TestCase("RPUSH z x|COPY z a")]
    [TestCase("RPUSH z x|SORT z BY nosort STORE a")]
    [TestCase("SELECT 1|RPUSH a x|MOVE a 0|SELECT 0")]
    [TestCase("SELECT 1|RPUSH a x|SWAPDB 0 1|SELECT 0")]
    [TestCase("MULTI|LPUSH a y|LPOP a|LPUSH a x|EXEC")]
    public void A_chain_has_ended_before_the_next_command(string push)
    {
        Wait("BLMOVE c d LEFT LEFT 0", "BRPOPLPUSH b c 0", "BRPOPLPUSH a b 0");
        string[] commands = [.. push.Split('|'), "LLEN a", "LLEN b", "LLEN c", "LRANGE d 0 -1"];

        var replies = _client.Call(commands);

        Assert.That(replies.Skip(replies.Count - 4), Is.EqualTo(new[] { ":0", ":0", ":0", "[$x]" }));
        Assert.That(_waiting.Select(client => client.Replies().Single()), Is.All.EqualTo("$x"));
    }

    [TestCase("EXISTS a b c d", ":1")]
    [TestCase("TYPE d", "+list")]
    [TestCase("DBSIZE", ":1")]
    [TestCase("KEYS *", "[$d]")]
    [TestCase("BLPOP d 0", "[$d $x]")]
    [TestCase("MULTI|LRANGE d 0 -1|EXEC", "[[$x]]")]
    public void Whatever_the_next_command_is(string next, string reply)
    {
        Wait("BLMOVE c d LEFT LEFT 0", "BRPOPLPUSH b c 0", "BRPOPLPUSH a b 0");

        var replies = _client.Call(["RPUSH a x", .. next.Split('|')]);

        Assert.That(replies[0], Is.EqualTo(":1"));
        Assert.That(replies[^1], Is.EqualTo(reply));
    }

    /// <summary>Also where the other's transaction has a command that would wait outside of it.</summary>
    [TestCase("LPOP a")]
    [TestCase("BLPOP a 0")]
    public void Who_waits_comes_before_the_transaction_of_another(string pop)
    {
        Wait("BLPOP a 0");
        var other = _server.Connect();
        _client.Send("RPUSH a x");
        other.Send("MULTI", pop, "BLPOP z 0", "EXEC");
        _server.Settle();
        Assert.That(_waiting[0].Replies(), Is.EqualTo(new[] { "[$a $x]" }));
        Assert.That(other.Replies()[^1], Does.Not.Contain("$x"));
    }

    /// <summary>Whichever worker a client is on.</summary>
    [TestCase("MULTI|RPUSH c z|RPUSH b y|RPUSH c zz|RPUSH a x|EXEC", "[$z $y $x]")]
    [TestCase("MULTI|RPUSH a x|RPUSH c z|RPUSH b y|EXEC", "[$x $z $y]")]
    [TestCase("EVAL for\ti\tin('cab'):gmatch('.')do\tredis.call('RPUSH',i,i..i)end 0", "[$cc $aa $bb]")]
    public void Who_waits_for_keys_that_are_filled_together_is_served_in_the_keys_order(string push, string moved)
    {
        Wait("BLMOVE a d LEFT RIGHT 0", "BLMOVE b d LEFT RIGHT 0", "BLMOVE c d LEFT RIGHT 0");
        Assert.That(_client.Call([.. push.Split('|'), "LRANGE d 0 -1"])[^1], Is.EqualTo(moved));
    }

    /// <summary>As in Redis since 7.2, which executes the command anew.</summary>
    [TestCase("BLPOP a b 0", "RPUSH b y|RPUSH a x", "[$a $x]")]
    [TestCase("BLMPOP 0 2 a b LEFT", "RPUSH b y|RPUSH a x", "[$a [$x]]")]
    [TestCase("BZPOPMIN a b 0", "ZADD b 2 y|ZADD a 1 x", "[$a $x $1]")]
    [TestCase("BLPOP a b 0", "RPUSH b y|RPUSH a x|DEL a", "[$b $y]")]
    public void Of_its_own_keys_a_client_is_given_the_first_that_it_names(string wait, string fill, string reply)
    {
        Wait(wait);
        _ = _client.Call(["MULTI", .. fill.Split('|'), "EXEC"]);
        Assert.That(_waiting[0].Replies(), Is.EqualTo(new[] { reply }));
    }

    /// <summary>As in Redis since 7.2, which executes its whole command when it comes to that key.</summary>
    [Test]
    public void Who_waits_for_the_key_that_was_filled_first_comes_before_who_has_waited_longer()
    {
        Wait("BRPOP a 0", "BRPOP a c b 0");
        _ = _client.Call("MULTI", "RPUSH b x y", "RPUSH a 1 2", "EXEC");
        Assert.That(_waiting[1].Replies(), Is.EqualTo(new[] { "[$a $2]" }));
        Assert.That(_waiting[0].Replies(), Is.EqualTo(new[] { "[$a $1]" }));
        _waiting[1].Send("BRPOP a c 0");
        _waiting[0].Send("BRPOP a 0");
        _ = _client.Call("RPUSH a 3");
        Assert.That(_waiting[1].Replies().Concat(_waiting[0].Replies()), Is.EqualTo(new[] { "[$a $3]" }));
    }

    /// <summary>Unless that key is gone again.</summary>
    [Test]
    public void Who_has_waited_longer_comes_first_where_nothing_is_left_of_the_key_that_was_filled_first()
    {
        Wait("BRPOP a 0", "BRPOP a c b 0");
        _ = _client.Call("MULTI", "RPUSH b x", "RPUSH a 1 2", "DEL b", "EXEC");
        Assert.That(_waiting[0].Replies(), Is.EqualTo(new[] { "[$a $2]" }));
        Assert.That(_waiting[1].Replies(), Is.EqualTo(new[] { "[$a $1]" }));
    }

    /// <summary>All who wait for a key come before those of the next.</summary>
    [Test]
    public void Several_who_wait_for_the_same_key_come_before_who_waits_for_the_next()
    {
        Wait("BLMOVE b d LEFT RIGHT 0", "BLMOVE a d LEFT RIGHT 0", "BLMOVE a d LEFT RIGHT 0");
        Assert.That(
            _client.Call("MULTI", "RPUSH a 1 2", "RPUSH b 3", "EXEC", "LRANGE d 0 -1")[^1], Is.EqualTo("[$1 $2 $3]"));
    }

    [Test]
    public void A_chain_has_ended_before_the_next_command_that_was_sent_apart()
    {
        Wait("BLPOP c 0", "BRPOPLPUSH b c 0", "BRPOPLPUSH a b 0");
        _client.Send("RPUSH a x y");
        var replies = _client.Replies();
        for (var turn = 0; replies.Count == 0; turn++)
        {
            _server.Turn(turn % workers);
            replies = _client.Replies();
        }

        Assert.That(replies, Is.EqualTo(new[] { ":2" }));
        _client.Expect(["EXISTS b c", "LRANGE a 0 -1"], ":0", "[$x]");
        Assert.That(_waiting[0].Replies(), Is.EqualTo(new[] { "[$c $y]" }));
    }

    [Test]
    public void All_who_wait_for_a_key_are_served_before_the_next_command()
    {
        Wait([.. Enumerable.Repeat("BRPOPLPUSH a b 0", 5)]);

        _client.Expect(["RPUSH a 1 2 3 4 5 6", "LRANGE b 0 -1", "LRANGE a 0 -1"], ":6", "[$2 $3 $4 $5 $6]", "[$1]");
    }

    [Test]
    public void What_a_served_client_has_sent_is_executed_after_the_chain()
    {
        Wait("BRPOPLPUSH b c 0", "BRPOPLPUSH a b 0");
        _waiting[1].Send("LLEN b", "LRANGE c 0 -1");

        _client.Expect(["LPUSH a x"], ":1");

        Assert.That(_waiting[1].Replies(), Is.EqualTo(new[] { "$x", ":0", "[$x]" }));
    }

    [Test]
    public void A_circle_comes_to_its_end()
    {
        Wait("BRPOPLPUSH a b 0", "BRPOPLPUSH b a 0", "BLMOVE a a LEFT RIGHT 0", "BRPOPLPUSH a b 0");

        _client.Expect(["LPUSH a x", "LLEN a", "LRANGE b 0 -1"], ":1", ":0", "[$x]");

        Assert.That(_waiting.Select(client => client.Replies().Single()), Is.All.EqualTo("$x"));
    }

    [Test]
    public void A_long_chain_comes_to_its_end()
    {
        const int Links = 300;
        Wait([.. Enumerable.Range(0, Links).Select(link => $"BLMOVE l{link} l{link + 1} LEFT RIGHT 0")]);
        foreach (var client in _waiting)
        {
            client.Send($"LRANGE l{Links} 0 -1");
        }

        Assert.That(_client.All(2, "RPUSH l0 x", $"LRANGE l{Links} 0 -1"), Is.EqualTo(new[] { ":1", "[$x]" }));
        _server.Settle();
        Assert.That(_waiting.Select(client => client.Replies()), Is.All.EqualTo(new[] { "$x", "[$x]" }));
    }

    [Test]
    public void A_long_circle_comes_to_its_end()
    {
        const int Links = 100;
        Wait([.. Enumerable.Range(0, Links).Select(link => link % 2 == 0 ? "BRPOPLPUSH a b 0" : "BRPOPLPUSH b a 0")]);
        foreach (var client in _waiting)
        {
            client.Send("LLEN b");
        }

        Assert.That(_client.All(2, "LPUSH a x", "LRANGE a 0 -1"), Is.EqualTo(new[] { ":1", "[$x]" }));
        _server.Settle();
        Assert.That(_waiting.Select(client => client.Replies()), Is.All.EqualTo(new[] { "$x", ":0" }));
    }

    [Test]
    public void Clients_that_wait_again_and_again_do_not_hold_up_who_pushes()
    {
        Wait("BLPOP a 0", "BLPOP a 0");
        foreach (var client in _waiting)
        {
            client.Send([.. Enumerable.Repeat("BLPOP a 0", 50)]);
        }

        _server.Settle();
        _client.Send("RPUSH a " + string.Join(' ', Enumerable.Range(0, 90)), "LLEN z");
        var replies = new List<string>();
        var served = new List<string>();
        while (replies.Count < 2)
        {
            _server.Turn(0);
            _server.Turn(workers - 1);
            _server.Turn(workers / 2);
            replies.AddRange(_client.Replies());
            served.AddRange(_waiting.SelectMany(client => client.Replies()));
        }

        Assert.That(replies, Is.EqualTo(new[] { ":90", ":0" }));
        _server.Settle();
        _server.Settle();
        Assert.That(_client.Call("EXISTS a"), Is.EqualTo(new[] { ":0" }));
    }

    [Test]
    public void A_woken_client_that_goes_leaves_the_element_to_the_next_one([Values] bool isLast)
    {
        Wait("BRPOPLPUSH a b 0", "BRPOPLPUSH a c 0", "BLPOP c 0");
        _client.Send("LPUSH a x", "EXISTS a b c", "LLEN a");
        if (isLast)
        {
            _waiting[1].Close();
            _waiting[2].Close();
        }

        _waiting[0].Close();
        _server.Settle();

        Assert.That(_client.Replies().Count, Is.EqualTo(3), "nobody waits for who has gone");
        _client.Expect(["PING"], "+PONG");
    }

    [Test]
    public void A_chain_ends_early_where_a_client_has_gone_or_waits_no_longer([Values(0, 1, 2)] int gone)
    {
        Wait("BLPOP d 0", "BRPOPLPUSH c d 0", "BRPOPLPUSH b c 0", "BRPOPLPUSH a b 0");
        var id = _waiting[1 + gone].Call("PING").Count == 0 ? 2 + gone : 0;
        _client.Send("LPUSH a x", $"CLIENT UNBLOCK {id}", "LLEN a");
        _server.Turn(0);
        _waiting[1 + gone].Close();
        _server.Settle();

        var replies = _client.Replies();
        Assert.That(replies.Count, Is.EqualTo(3));
        Assert.That(replies[2], Is.EqualTo(":0").Or.EqualTo(":1"));
        _client.Expect(["PING"], "+PONG");
    }

    [Test]
    public void One_whose_time_is_up_as_it_is_woken_holds_up_nobody()
    {
        Wait("BLPOP b 0", "BRPOPLPUSH a b 0.05");
        _client.Send("LPUSH a x", "EXISTS a b");
        _server.Clock.AdvanceMs(100);
        _server.Settle();

        Assert.That(_client.Replies(), Is.EqualTo(new[] { ":1", ":0" }).Or.EqualTo(new[] { ":1", ":1" }));
    }

    [Test]
    public void A_pusher_that_goes_meanwhile_leaves_nothing()
    {
        Wait("BLPOP c 0", "BRPOPLPUSH b c 0", "BRPOPLPUSH a b 0");
        _client.Send("LPUSH a x", "SET s 1");
        _server.Turn(0);
        _client.Close();
        _server.Settle();

        Assert.That(_server.Connect().Call("EXISTS a b c"), Is.EqualTo(new[] { ":0" }));
    }

    [Test]
    public void A_chain_holds_with_leases_taken()
    {
        Wait("BLPOP c 0", "BRPOPLPUSH b c 0", "BRPOPLPUSH a b 0");
        _client.Send("SET a0 1", "LPUSH a x", "LLEN a", "EXISTS b c", "SET z 1");
        var taken = _server.Server.Context.Shards.All;
        foreach (var shard in taken)
        {
            Assert.That(shard.Lease.TryAcquire());
        }

        if (workers > 1)
        {
            _server.Settle(); // With one worker nobody looks.
        }

        foreach (var shard in taken)
        {
            shard.Lease.Release();
        }

        _server.Settle();

        Assert.That(_client.Replies(), Is.EqualTo(new[] { "+OK", ":1", ":0", ":0", "+OK" }));
    }

    /// <summary>Lets clients wait, each on the next worker, and connects the one that pushes.</summary>
    private void Wait(params string[] commands)
    {
        foreach (var command in commands)
        {
            _waiting.Add(_server.Connect());
            Assert.That(_waiting[^1].Call(command), Is.Empty);
        }

        _client = _server.Connect();
    }
}
