using NUnit.Framework;
using Strata.Server.Clients;
using Strata.Storage.Memory;

namespace Strata.Tests.Server.Execution;

/// <summary>Transactions with commands that ask all workers: their replies come in parts, with turns between them.
/// </summary>
[TestFixture]
internal sealed class HeldRepliesTests
{
    [Test]
    public void What_is_answered_by_now_goes_to_nobody_else()
    {
        using var server = new TurnServer(workers: 2);
        var (client, _, neighbour) = (server.Connect(), server.Connect(), server.Connect());
        client.Send("MULTI", "PING", "CLIENT UNBLOCK 900", "PING", "CLIENT UNBLOCK 901", "EXEC");
        var received = new List<string>();
        for (var i = 0; i < 20; i++)
        {
            neighbour.Send("PING");
            server.Turn(0);
            server.Turn(0);
            server.Turn(1);
            received.AddRange(neighbour.Replies());
        }

        Assert.That(received, Is.All.EqualTo("+PONG"));
        Assert.That(client.Replies()[^1], Is.EqualTo("[+PONG :0 +PONG :0]"));
    }

    [Test]
    public void A_client_that_kills_itself_gets_the_whole_reply_first()
    {
        using var server = new TurnServer(workers: 2);
        var client = server.Connect();
        var id = client.Call("CLIENT ID")[0][1..];
        client.Expect(
            ["MULTI", $"CLIENT KILL ID {id} SKIPME no", "CLIENT UNBLOCK 900", "EXEC", "PING"],
            "+OK", "+QUEUED", "+QUEUED", "[:1 :0]");
    }

    /// <summary>It goes; others are served on.</summary>
    [Test]
    public void A_client_whose_answer_finds_no_memory_is_closed([Values] bool isOfTransaction)
    {
        using var server = new TurnServer(workers: 2, row => row.Name != "dbsize" ? row : row.With(context =>
            context.Session.AskWorkers(_ => 0, (_, _) => throw new MemoryExhaustedException())));
        var (client, other) = (server.Connect(), server.Connect());
        string[] ask = ["CLIENT UNBLOCK 900", "DBSIZE", "CLIENT UNBLOCK 900"];

        _ = client.Call(isOfTransaction ? ["MULTI", .. ask, "EXEC"] : ask);
        Assert.That(client.IsClosed);
        other.Expect(["MULTI", "CLIENT UNBLOCK 900", "EXEC"], "+OK", "+QUEUED", "[:0]");
        Assert.That(server.Server.Services.Diagnostics.Clients.Connected, Is.EqualTo(1));
    }

    [Test]
    public void CLIENT_REPLY_SKIP_takes_back_the_reply_of_the_command_behind_EXEC()
    {
        using var server = new TurnServer(workers: 2);
        var client = server.Connect();

        // The command itself answers nothing: the array's third element is what comes next, as with Redis.
        client.Expect(
            ["MULTI", "CLIENT REPLY SKIP", "CLIENT UNBLOCK 900", "CLIENT UNBLOCK 901", "EXEC", "ECHO a", "ECHO b"],
            "+OK", "+QUEUED", "+QUEUED", "+QUEUED", "[:0 :0 $b]");
    }
}
