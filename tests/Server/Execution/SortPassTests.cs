using NUnit.Framework;

namespace Strata.Tests.Server.Execution;

/// <summary>SORT by, or with, values that patterns name goes on in steps, whose length is not the patterns' and not the
/// collection's, and is as if it were executed at one moment.</summary>
[TestFixture]
internal sealed class SortPassTests
{
    private const int Elements = 1500;
    private TurnServer _server = null!;
    private TurnClient _client = null!;
    private TurnClient _other = null!;

    private static IEnumerable<string> Commands =>
    [
        "SORT list BY w_*", "SORT list BY w_* GET w_* GET # GET nothing_*", "SORT list BY w_* ALPHA DESC LIMIT 10 1400",
        "SORT set BY h_*->field GET h_*->field GET h_*->nothing", "SORT zset BY nosort GET #",
        "SORT zset BY nosort DESC GET w_*", "SORT list BY nosort GET # LIMIT 5 1400", "SORT list GET same",
        "SORT list BY nosort DESC GET w_* GET w_*", "SORT_RO list BY w_* ALPHA GET h_*->field", "SORT short BY LONG*",
        "SORT short BY *LONG ALPHA", "SORT short GET LONG* GET #", "SORT integers BY LONG* DESC GET w_*",
        "SORT shortset BY nosort GET *LONG GET #", "SORT short BY LONG*->field",
    ];

    private static IEnumerable<string> Stores =>
    [
        "SORT list BY w_* STORE other", "SORT list BY w_* GET w_* GET nothing_* STORE list",
        "SORT short BY LONG* STORE w_3",
        "SORT zset BY nosort GET # STORE other", "SORT set BY nosort GET w_* STORE other",
    ];

    [TearDown]
    public void Stop() => _server.Dispose();

    [TestCaseSource(nameof(Commands))]
    [TestCaseSource(nameof(Stores))]
    public void Others_have_their_turn_between_steps(string command)
    {
        Start();
        Assert.That(_other.TurnsBesides(_client, Whole(command), most: 500, each: 2), Is.GreaterThan(2));
    }

    [TestCaseSource(nameof(Commands))]
    public void It_is_what_it_is_in_one_go(string command)
    {
        Start(workers: 2);
        command = Whole(command);
        var inSteps = _client.All(1, command);
        Assert.That("[" + inSteps[0] + "]", Is.EqualTo(_client.All(3, "MULTI", command, "EXEC")[2]));
    }

    [TestCaseSource(nameof(Stores))]
    public void What_is_stored_is_what_it_is_in_one_go(string command)
    {
        Start();
        var key = command.Split(' ')[^1];
        var reply = _client.All(1, Whole(command))[0];
        var inSteps = _other.All(1, $"DEBUG DIGEST-VALUE {key}")[0];
        _server.Dispose();
        Start();
        Assert.That(_client.All(3, "MULTI", Whole(command), "EXEC")[2], Is.EqualTo($"[{reply}]"));
        Assert.That(_other.All(1, $"DEBUG DIGEST-VALUE {key}")[0], Is.EqualTo(inSteps));
    }

    [TestCase("SORT list BY w_* GET w_*", "SET w_3 99999")]
    [TestCase("SORT set BY h_*->field", "HSET h_e3 field 99999")]
    [TestCase("SORT list BY nothing_* GET w_*", "SET nothing_3 1")]
    public void Who_would_change_what_was_looked_up_waits(string command, string change)
    {
        Start();
        var before = _client.All(1, command)[0];
        _ = _other.Call("DEBUG SMALL-STEPS 1");
        _client.Send(command);
        Turn(3 * Elements);
        _other.Send("PING", change);
        Turn(20);
        Assert.That(_other.Replies(), Is.EqualTo(new[] { "+PONG" }));
        Assert.That(_client.Replies(), Is.Empty);
        _ = _server.Connect().Call("DEBUG SMALL-STEPS 0");
        Assert.That(_client.Rest(1)[0], Is.EqualTo(before));
        Assert.That(_other.Rest(1), Has.Count.EqualTo(1));
        Assert.That(_client.All(1, command)[0], Is.Not.EqualTo(before));
    }

    [Test]
    public void A_script_that_changes_what_was_looked_up_has_it_begin_anew()
    {
        Start();
        _ = _other.Call("DEBUG SMALL-STEPS 1");
        _client.Send("SORT list BY w_* LIMIT 0 1");
        Turn(3 * Elements);
        Assert.That(_client.Replies(), Is.Empty);
        _other.Send("EVAL return(redis.call('set','w_3','-1')) 0", "DEBUG SMALL-STEPS 0");
        Assert.That(_other.Rest(2)[1], Is.EqualTo("+OK"));
        Assert.That(_client.Rest(1), Is.EqualTo(new[] { "[$3]" }));
    }

    [Test]
    public void An_element_that_is_no_number_is_an_error()
    {
        Start();
        _ = _other.Call("SET w_777 x");
        Assert.That(_client.All(1, "SORT list BY w_*")[0], Does.StartWith("-ERR One or more scores"));
    }

    private void Start(int workers = 1)
    {
        _server = new TurnServer(workers);
        (_client, _other) = (_server.Connect(), _server.Connect());
        for (var i = 0; i < Elements; i += 250)
        {
            var numbers = Enumerable.Range(i, 250).ToArray();
            _ = _other.Call(
                [
                    $"RPUSH list {string.Join(' ', numbers)}",
                    $"SADD set {string.Join(' ', numbers.Select(n => $"e{n}"))}",
                    $"ZADD zset {string.Join(' ', numbers.Select(n => $"{n} {n}"))}",
                    .. numbers.Select(n => $"SET w_{n} {n * 7919 % 6007}"),
                    .. numbers.Select(n => $"HSET h_e{n} field {n * 7919 % 6007} other 1"),
                ]);
        }

        _ = _other.Call(
            $"RPUSH short {string.Join(' ', Enumerable.Range(0, 100).Select(n => (n * 37) % 100))}",
            $"SADD integers {string.Join(' ', Enumerable.Range(0, 100))}",
            $"SADD shortset {string.Join(' ', Enumerable.Range(0, 100).Select(n => $"m{n}"))}");
    }

    private void Turn(int turns)
    {
        for (var i = 0; i < turns; i++)
        {
            _server.Turn(0);
        }
    }

    private static string Whole(string command)
        => command.Replace("LONG", new string('x', 12_000), StringComparison.Ordinal);
}
