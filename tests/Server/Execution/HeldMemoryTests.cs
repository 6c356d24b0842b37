using NUnit.Framework;
using Strata.Server;
using Strata.Storage.Memory;
using Strata.Tests.Simulation;

namespace Strata.Tests.Server.Execution;

/// <summary>What the server holds for clients counts against the memory limit, until they have gone.</summary>
[TestFixture]
internal sealed class HeldMemoryTests
{
    private const int Names = 2000;

    private static readonly string s_names
        = string.Join(' ', Enumerable.Range(0, Names).Select(i => $"name:{i:00000}"));

    private static readonly TestCaseData[] s_holding =
    [
        new TestCaseData(new[] { $"SUBSCRIBE {s_names}" }, Names * 300).SetArgDisplayNames("SUBSCRIBE"),
        new TestCaseData(new[] { $"PSUBSCRIBE {s_names}" }, Names * 300).SetArgDisplayNames("PSUBSCRIBE"),
        new TestCaseData(new[] { $"WATCH {s_names}" }, Names * 200).SetArgDisplayNames("WATCH"),
        new TestCaseData(new[] { $"BLPOP {s_names} 0" }, Names * 200).SetArgDisplayNames("BLPOP"),
        new TestCaseData(new[] { $"CLIENT SETNAME {new string('n', 50_000)}" }, 99_999).SetArgDisplayNames("SETNAME"),
        new TestCaseData(new[] { $"HELLO 2 SETNAME {new string('n', 50_000)}" }, 99_999).SetArgDisplayNames("HELLO"),
        new TestCaseData((string[])["MULTI", .. Enumerable.Repeat("PING", 5000)], 5000 * 40)
            .SetArgDisplayNames("MULTI"),
    ];

    [TestCaseSource(nameof(s_holding))]
    public void Is_charged_while_it_is_held(string[] commands, int leastBytes)
    {
        using var server = new TurnServer(workers: 2);
        var budget = server.Server.Context.Shards.Budget;
        _ = server.Connect();
        var client = server.Connect();
        var before = budget.UsedBytes;
        Send(server, client, commands);
        Assert.That(budget.UsedBytes - before, Is.GreaterThan(leastBytes));
        client.Close();
        server.Settle();
        AssertAccounted(server);
    }

    [Test]
    public void Is_given_up_in_steps_when_it_is_much_and_the_client_goes(
        [Values("SUBSCRIBE", "PSUBSCRIBE", "WATCH")] string command, [Values(1, 2)] int workers)
    {
        using var server = new TurnServer(workers);
        var budget = server.Server.Context.Shards.Budget;
        var client = server.Connect();
        var before = budget.UsedBytes;
        for (var part = 0; part < 5; part++)
        {
            Send(server, client, [$"{command} {s_names.Replace("name", $"name{part}", StringComparison.Ordinal)}"]);
        }

        var held = budget.UsedBytes - before;
        client.Close();
        for (var turn = 0; turn < 2; turn++)
        {
            server.Turn(0);
        }

        Assert.That(budget.UsedBytes - before, Is.GreaterThan(held / 2), "others have their turn");
        for (var left = 5 * Names; left > 0; left -= ServerLimits.GivenUpAtOnce)
        {
            server.Turn(0);
        }

        server.Settle();
        Assert.That(budget.UsedBytes - before, Is.LessThan(held / 10));
        AssertAccounted(server);
    }

    [Test]
    public void Watched_keys_are_given_up_in_steps_when_they_are_many()
    {
        using var server = new TurnServer(workers: 1);
        var budget = server.Server.Context.Shards.Budget;
        var client = server.Connect();
        var before = budget.UsedBytes;
        for (var part = 0; part < 5; part++)
        {
            client.Expect([$"WATCH {s_names.Replace("name", $"name{part}", StringComparison.Ordinal)}"], "+OK");
        }

        var held = budget.UsedBytes - before;
        client.Send("UNWATCH", "WATCH name0:00001", "SET name0:00001 x", "SET name0:01999 x", "MULTI", "PING", "EXEC");
        server.Turn(0);
        Assert.That(budget.UsedBytes - before, Is.GreaterThan(held * 3 / 4), "others have their turn");
        server.Settle();
        Assert.That(client.Replies(), Is.EqualTo(new[] { "+OK", "+OK", "+OK", "+OK", "+OK", "+QUEUED", "nil" }));
        Assert.That(budget.UsedBytes - before, Is.LessThan(held / 2));
        client.Close();
        server.Settle();
        AssertAccounted(server);
    }

    [TestCaseSource(nameof(s_holding))]
    public void Is_refused_where_it_is_much_and_memory_is_short(string[] commands, int leastBytes)
    {
        using var server = new TurnServer(workers: 1);
        var budget = server.Server.Context.Shards.Budget;
        var client = server.Connect();
        Shorten(budget);
        var before = budget.UsedBytes;
        Assert.That(Send(server, client, commands)[^1], Does.StartWith("-OOM command not allowed"));
        Assert.That(budget.UsedBytes - before, Is.LessThan(leastBytes));
    }

    [TestCase("SUBSCRIBE channel", ">3")]
    [TestCase("WATCH key", "+OK")]
    [TestCase("CLIENT SETNAME name", "+OK")]
    public void Is_granted_where_it_is_little_though_memory_is_short(string command, string reply)
    {
        using var server = new TurnServer(workers: 1);
        var client = server.Connect();
        client.Expect(["CLIENT SETINFO LIB-NAME test"], "+OK");
        Shorten(server.Server.Context.Shards.Budget);
        Assert.That(client.Call(command)[0], Does.Not.StartWith("-"), reply);
    }

    [Test]
    public void Arguments_of_a_command_that_has_not_come_whole_are_charged()
    {
        using var server = new TurnServer(workers: 1);
        var budget = server.Server.Context.Shards.Budget;
        var client = server.Connect();
        var before = budget.UsedBytes;
        client.SendRaw("*100001\r\n$3\r\nDEL\r\n");
        for (var i = 0; i < 50; i++)
        {
            client.SendRaw(string.Concat(Enumerable.Repeat("$1\r\nk\r\n", 1000)));
            server.Settle();
        }

        Assert.That(budget.UsedBytes - before, Is.GreaterThan(50_000 * (8 + 7)));
        client.Close();
        server.Settle();
        AssertAccounted(server);
    }

    /// <summary>All that is charged is the shards', or kept for the next who need it.</summary>
    private static void AssertAccounted(TurnServer server)
        => Assert.That(
            server.Server.Context.Shards.Budget.UsedBytes,
            Is.EqualTo(MemoryAccount.OfShards(server.Server) + MemoryAccount.OfPools(server.Server)));

    private static void Shorten(MemoryBudget budget)
    {
        budget.Charge(1000);
        budget.LimitBytes = budget.UsedBytes - 500;
        budget.Glide();
    }

    private static List<string> Send(TurnServer server, TurnClient client, string[] commands)
    {
        List<string> replies = [];
        foreach (var chunk in commands.Chunk(1000))
        {
            replies.AddRange(client.Call(chunk));
        }

        server.Settle();
        return replies;
    }
}
