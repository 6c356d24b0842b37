using NUnit.Framework;
using Strata.Server.Commands.Model;

namespace Strata.Tests.Server.Execution;

/// <summary>Short replies to what came together are sent together, and nothing passes them.</summary>
public sealed class ReplyBatchTests
{
    private const int Rounds = 200;

    private readonly List<TurnClient> _clients = [];

    [Test]
    public void Replies_are_sent_when_all_that_came_was_executed()
    {
        var sent = new List<int>();
        using var server = Open("get", () => sent.Add(_clients.Count(client => client.HasInput)));
        foreach (var client in _clients)
        {
            client.Send("GET none");
        }

        server.Turn(0);
        Assert.That(sent, Is.EqualTo(new[] { 0, 0, 0 }), "sent while they were executed");
        Assert.That(_clients.Select(client => client.Replies().Single()), Is.All.EqualTo("nil"));
    }

    [Test]
    public void What_may_take_long_lets_others_have_their_replies_first()
    {
        var executed = 0;
        var early = 0;
        using var server = Open("get", () => executed++, "keys", () =>
        {
            Assert.That(_clients.Take(2).Count(client => client.HasInput), Is.EqualTo(executed));
            early += executed;
        });
        for (var round = 0; round < Rounds; round++)
        {
            executed = 0;
            _clients[0].Send("GET none");
            _clients[1].Send("GET none");
            _clients[2].Send("KEYS none");
            server.Settle();
            Assert.That(_clients.Select(client => client.Replies().Single()), Is.EqualTo(new[] { "nil", "nil", "[]" }));
        }

        Assert.That(early, Is.Positive, "some came before it");
    }

    /// <summary>A client that is told first, and answered then what is no longer so, would keep that.</summary>
    [Test]
    public void A_message_does_not_pass_a_reply()
    {
        using var server = Open("none", () => { });
        var (reader, writer) = (_clients[0], _clients[1]);
        _ = reader.Call("HELLO 3");
        _ = reader.Call("CLIENT TRACKING ON");
        string? kept = null;
        var told = 0;
        for (var round = 0; round < Rounds; round++)
        {
            reader.Send("GET key");
            writer.Send($"SET key {round}", "PUBLISH channel x");
            _clients[2].Send("GET key");
            server.Settle();
            foreach (var reply in reader.Replies())
            {
                told += reply.StartsWith('$') || reply.StartsWith('_') ? 0 : 1;
                kept = reply.StartsWith('$') ? reply[1..] : null;
            }

            Assert.That(kept, Is.Null.Or.EqualTo($"{round}"));
            Assert.That(writer.Replies().Concat(_clients[2].Replies()).Count(), Is.EqualTo(3));
        }

        Assert.That(told, Is.GreaterThan(Rounds / 4));
    }

    [Test]
    public void A_client_whose_reply_waits_may_be_killed()
    {
        using var server = Open("none", () => { });
        var id = _clients[0].Call("CLIENT ID").Single()[1..];
        for (var i = 0; i < 2; i++)
        {
            _clients[0].Send("ECHO a");
        }

        _clients[1].Send($"CLIENT KILL ID {id}");
        _clients[2].Send("ECHO b");
        server.Settle();
        Assert.That(_clients[1].Replies(), Is.EqualTo(new[] { ":1" }));
        Assert.That(_clients[2].Replies(), Is.EqualTo(new[] { "$b" }));
        _ = _clients[0].Replies();
        Assert.That(_clients[0].IsClosed);
    }

    private TurnServer Open(string name, Action called, string otherName = "", Action? otherCalled = null)
    {
        var server = new TurnServer(1, row => row.Name == name ? Calling(row, called)
            : row.Name == otherName ? Calling(row, otherCalled!)
            : row);
        _clients.Clear();
        for (var i = 0; i < 3; i++)
        {
            _clients.Add(server.Connect());
        }

        return server;
    }

    private static CommandRow Calling(CommandRow row, Action call) => row.With(context =>
    {
        call();
        row.Handler(context);
    });
}
