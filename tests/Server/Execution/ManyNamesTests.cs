using NUnit.Framework;
using Strata.Server;
using Strata.Storage;

namespace Strata.Tests.Server.Execution;

/// <summary>Commands that name many channels or keys: they are executed in parts, between which others have their turn,
/// and what the server would hold for them is asked for before any of it is taken.</summary>
[TestFixture(1)]
[TestFixture(2)]
internal sealed class ManyNamesTests(int workers)
{
    private const string Refusal = "-OOM command not allowed when used memory > 'maxmemory'.";
    private const int Names = (3 * ServerLimits.NamesAtOnce) + 1;

    [TestCase("SUBSCRIBE")]
    [TestCase("PSUBSCRIBE")]
    [TestCase("SSUBSCRIBE")]
    public void Subscriptions_are_made_and_given_up_in_parts(string verb)
    {
        using var server = new TurnServer(workers);
        var client = server.Connect();
        var word = verb.ToLowerInvariant();
        var un = word.Insert(word.IndexOf("sub", StringComparison.Ordinal), "un");
        string[] Replies(string verb, Func<int, int> count)
            => [.. Enumerable.Range(0, Names).Select(i => $"[${verb} $name:{i} :{count(i)}]")];

        Assert.That(CallInParts(server, client, Many(verb)), Is.EqualTo(Replies(word, i => i + 1)));
        Assert.That(CallInParts(server, client, Many(verb)), Is.EqualTo(Replies(word, _ => Names)), "it has them all");
        Assert.That(CallInParts(server, client, Many(un)), Is.EqualTo(Replies(un, i => Names - 1 - i)));
        _ = CallInParts(server, client, Many(verb));
        Assert.That(
            CallInParts(server, client, un), Is.EquivalentTo(Replies(un, i => i)).Using<string>(WithoutName));
        client.Expect([un], $"[${un} nil :0]");
    }

    [Test]
    public void Keys_are_watched_in_parts()
    {
        using var server = new TurnServer(workers);
        var (client, other) = (server.Connect(), server.Connect());
        foreach (var touched in (int?[])[0, Names / 2, Names - 1, null])
        {
            Assert.That(CallInParts(server, client, Many("WATCH")), Is.EqualTo(new[] { "+OK" }));
            _ = other.Call(touched == null ? "SET another 1" : $"SET name:{touched} 1");
            client.Expect(["MULTI", "PING", "EXEC"], "+OK", "+QUEUED", touched == null ? "[+PONG]" : "nil");
        }

        client.Expect(["MULTI", Many("WATCH"), "EXEC"], "+OK", "-ERR WATCH inside MULTI is not allowed", "[]");
    }

    /// <summary>Within EXEC nobody else has a turn.</summary>
    [Test]
    public void A_transaction_takes_them_at_once()
    {
        using var server = new TurnServer(workers);
        var client = server.Connect();
        var replies = client.Call("HELLO 3", "MULTI", Many("SUBSCRIBE"), "UNSUBSCRIBE", "PING", "EXEC");
        Assert.That(replies, Has.Count.GreaterThan(2 * Names));
    }

    [Test]
    public void They_count_as_one_command()
    {
        using var server = new TurnServer(workers, arguments: ["--slowlog-log-slower-than", "0"]);
        var client = server.Connect();
        _ = client.Call(Many("WATCH"), "SLOWLOG RESET", Many("WATCH"), "UNWATCH");
        Assert.That(client.Call("INFO commandstats")[0], Does.Contain("cmdstat_watch:calls=2,"));
        Assert.That(client.Call("SLOWLOG GET 10")[0], Does.Contain($"... ({Names + 1 - 31} more arguments)"));
    }

    [Test]
    public void A_client_that_goes_meanwhile_leaves_nothing([Values("SUBSCRIBE", "WATCH")] string verb)
    {
        using var server = new TurnServer(workers);
        var (client, other) = (server.Connect(), server.Connect());
        client.Send(Many(verb));
        server.Turn(0);
        server.Turn(0);

        client.Close();
        server.Settle();
        other.Expect(["PUBSUB NUMSUB name:0", "PUBLISH name:1 x"], "[$name:0 :0]", ":0");
        Assert.That(other.Call("INFO clients")[0], Does.Contain("total_watched_keys:0\r\n"));
    }

    [TestCase("SUBSCRIBE", "")]
    [TestCase("PSUBSCRIBE", "")]
    [TestCase("SSUBSCRIBE", "")]
    [TestCase("WATCH", "")]
    [TestCase("BLPOP", " 0")]
    [TestCase("BZPOPMAX", " 0")]
    public void Where_there_is_no_memory_for_them_none_is_taken(string verb, string end)
    {
        const int Names = 40_000;
        using var server = new TurnServer(workers);
        var (client, other) = (server.Connect(), server.Connect());
        var budget = server.Server.Context.Shards.Budget;
        var used = budget.UsedBytes;
        budget.LimitBytes = used + (1 << 20);
        client.Expect([Many(verb, Names) + end, "PING"], Refusal, "+PONG");
        Assert.That(budget.PeakBytes, Is.LessThan(used + Limits.EndBytes));
        Assert.That(budget.UsedBytes, Is.LessThan(used + (1 << 20)));
        other.Expect(["PUBSUB NUMPAT", "PUBLISH name:1 x"], ":0", ":0");
        client.Expect([Many(verb, 3) + end], RepliesToThree(verb));
    }

    /// <summary>Also within a transaction, which has no parts.</summary>
    [Test]
    public void A_transaction_is_refused_them()
    {
        using var server = new TurnServer(workers);
        var client = server.Connect();
        client.Expect(["MULTI", Many("SUBSCRIBE", 40_000)], "+OK", "+QUEUED");
        var budget = server.Server.Context.Shards.Budget;
        var used = budget.UsedBytes;
        budget.LimitBytes = used + (1 << 20);
        client.Expect(["EXEC"], "[-OOM]");
        Assert.That(budget.PeakBytes, Is.LessThan(used + Limits.EndBytes));
    }

    [Test]
    public void Clients_are_listed_in_parts()
    {
        const int Clients = (4 * ServerLimits.ClientsAtOnce) + 1;
        using var server = new TurnServer(workers);
        var clients = Enumerable.Range(0, Clients).Select(_ => server.Connect()).ToList();
        var text = CallInParts(server, clients[0], "CLIENT LIST")[0];
        var lines = text.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        var ids = lines.Select(line => long.Parse(line.Split("id=")[1].Split(' ')[0]));
        Assert.That(ids, Is.Ordered.And.Unique.And.Exactly(Clients + workers).Items);
    }

    /// <summary>Else as many lists would be held as there are clients.</summary>
    [Test]
    public void Clients_that_ask_for_the_list_get_it_one_after_the_other()
    {
        const int Clients = (4 * ServerLimits.ClientsAtOnce) + 1;
        const int Asking = 10;
        using var server = new TurnServer(workers);
        var clients = Enumerable.Range(0, Clients).Select(_ => server.Connect()).ToList();
        var rounds = server.Server.Workers[0].Services.Rounds;
        foreach (var client in clients[..Asking])
        {
            client.Send("CLIENT LIST", "PING");
        }

        for (var worker = 0; worker < workers; worker++)
        {
            server.Turn(worker);
        }

        Assert.That(rounds.Waiting, Is.EqualTo(Asking - 1));
        clients[1].Close();
        while (rounds.Waiting > 0)
        {
            server.Settle();
        }

        server.Settle();
        clients.RemoveAt(1);
        foreach (var client in clients[..(Asking - 1)])
        {
            var replies = client.Replies();
            Assert.That(replies, Has.Count.EqualTo(2));
            Assert.That(replies[0].Count(letter => letter == '\n'), Is.InRange(Clients - 1, Clients + workers));
            Assert.That(replies[1], Is.EqualTo("+PONG"));
        }
    }

    /// <summary>Sends a command, and then others by other clients, which are answered first.</summary>
    private List<string> CallInParts(TurnServer server, TurnClient client, string command)
    {
        var others = Enumerable.Range(0, workers).Select(_ => server.Connect()).ToList();
        client.Send(command);
        server.Turn(0);
        foreach (var other in others)
        {
            other.Send("PING");
        }

        for (var worker = workers - 1; worker >= 0; worker--)
        {
            server.Turn(worker);
        }

        var replies = new List<string>(client.Replies());
        Assert.That(others.SelectMany(other => other.Replies()), Is.EqualTo(Enumerable.Repeat("+PONG", workers)));
        var atFirst = replies.Count;
        for (var reading = 0; reading < 2; reading++) // They are more than the pipe takes.
        {
            server.Settle();
            replies.AddRange(client.Replies());
        }

        Assert.That(replies, Has.Count.GreaterThan(atFirst), "it was not done when others were answered");
        foreach (var other in others)
        {
            other.Close();
        }

        server.Settle();
        return replies;
    }

    private static string Many(string verb, int names = Names)
        => $"{verb} {string.Join(' ', Enumerable.Range(0, names).Select(i => $"name:{i}"))}";

    private static bool WithoutName(string one, string other) => one[..one.IndexOf(' ')] == other[..other.IndexOf(' ')];

    private static string[] RepliesToThree(string verb) => verb switch
    {
        "WATCH" => ["+OK"],
        "BLPOP" or "BZPOPMAX" => [],
        _ => [.. Enumerable.Range(0, 3).Select(i => $"[${verb.ToLowerInvariant()} $name:{i} :{i + 1}]")],
    };
}
