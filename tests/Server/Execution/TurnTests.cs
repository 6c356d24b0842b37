using NUnit.Framework;

namespace Strata.Tests.Server.Execution;

/// <summary>A client whose commands take long gives others their turn between two of them; in its own order nothing
/// changes.</summary>
[TestFixture]
internal sealed class TurnTests
{
    private readonly List<string> _executed = [];
    private TurnServer _server = null!;

    [SetUp]
    public void Start()
    {
        _executed.Clear();
        _server = new TurnServer(workers: 1, row => row.Name is not ("echo" or "dbsize" or "lrange") ? row
            : row.With(context =>
            {
                var isShort = row.Name == "echo";
                _executed.Add(isShort ? System.Text.Encoding.ASCII.GetString(context.Argument(1)) : row.Name);
                _server.Clock.AdvanceMs(isShort ? 0 : 2);

                row.Handler(context);
            }));
    }

    [TearDown]
    public void Stop() => _server.Dispose();

    [TestCase("DBSIZE", "dbsize", ":0")]
    [TestCase("LRANGE l 0 -1", "lrange", "[]")]
    [TestCase("EVAL return(redis.call('dbsize')) 0", "dbsize", ":0")]
    public void Others_come_between_commands_that_take_long(string command, string name, string reply)
    {
        var (slow, other) = (_server.Connect(), _server.Connect());
        slow.Send(command, "ECHO a", command, "ECHO b");
        other.Send("ECHO other");
        _server.Settle();
        Assert.That(_executed, Is.EqualTo(new[] { name, "other", "a", name, "b" }));
        Assert.That(slow.Replies(), Is.EqualTo(new[] { reply, "$a", reply, "$b" }));
        Assert.That(other.Replies(), Is.EqualTo(new[] { "$other" }));
    }

    [Test]
    public void Short_ones_are_executed_together()
    {
        var (first, other) = (_server.Connect(), _server.Connect());
        first.Send([.. Enumerable.Range(0, 20).Select(i => $"ECHO {i}")]);
        other.Send("ECHO other");
        _server.Settle();
        Assert.That(_executed[^1], Is.EqualTo("other"));
    }

    [Test]
    public void What_is_one_transaction_stays_together()
    {
        var (slow, other) = (_server.Connect(), _server.Connect());
        slow.Send("MULTI", "DBSIZE", "ECHO a", "DBSIZE", "EXEC", "ECHO b");
        other.Send("ECHO other");
        _server.Settle();
        Assert.That(_executed, Is.EqualTo(new[] { "dbsize", "a", "dbsize", "other", "b" }));
        Assert.That(slow.Replies().TakeLast(2), Is.EqualTo(new[] { "[:0 $a :0]", "$b" }));
    }

    [Test]
    public void Who_goes_meanwhile_has_sent_what_it_has_sent()
    {
        var slow = _server.Connect();
        slow.Send("DBSIZE", "SET k v");
        _server.Turn(0);
        slow.Close();
        _server.Settle();
        _server.Connect().Expect(["GET k"], "$v");
    }
}
