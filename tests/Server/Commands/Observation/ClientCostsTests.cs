using System.Globalization;
using NUnit.Framework;
using Strata.Server;
using Strata.Tests.Server.Execution;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Commands.Observation;

/// <summary>STRATA CLIENTS, and the totals in CLIENT LIST.</summary>
[TestFixture]
internal sealed class ClientCostsTests
{
    private static readonly string[] s_fields =
    [
        "name", "lib-name", "address", "user", "connections", "commands", "bytes-in", "bytes-out", "microseconds",
        "share",
    ];

    /// <summary>What clients have done counts for who they were, also when they have gone, or are another's by now.
    /// </summary>
    [Test]
    public void What_clients_have_done_counts_for_who_they_were([Values(1, 2)] int workers)
    {
        using var server = StrataProcess.Start("--workers", $"{workers}");
        using var control = server.Connect();
        _ = control.Call("ACL", "SETUSER", "some", "on", ">p", "~*", "+@all");
        using (var gone = Named(server, "reader"))
        {
            _ = gone.Call("CLIENT", "SETINFO", "LIB-NAME", "library");
            Times(gone, 50, "GET", "key");
        }

        using var writer = Named(server, "writer");
        Times(writer, 30, "SET", "key", new string('v', 1000));
        _ = Costs(control);
        _ = writer.Call("AUTH", "some", "p");
        Times(writer, 70, "GET", "key");
        var costs = AwaitGone(control);
        AssertCost(costs.Single(static cost => cost["name"] == "reader"), 52, 0, "library", "default");
        AssertCost(costs.Single(static cost => cost["name"] == "writer" && cost["user"] == "default"), 31, 0);
        var other = costs.Single(static cost => cost["user"] == "some");
        AssertCost(other, 71, 1, user: "some"); // With AUTH.
        Assert.That(Number(other, "bytes-out"), Is.EqualTo("+OK\r\n".Length + (70 * 1009)));
        var sent = RespCommand.Of("AUTH", "some", "p").Encode().Length;
        sent += 70 * RespCommand.Of("GET", "key").Encode().Length;
        Assert.That(Number(other, "bytes-in"), Is.EqualTo(sent));
        Assert.That(costs.Select(static cost => cost["address"]).Distinct(), Is.EqualTo(new[] { "127.0.0.1" }));

        var users = Costs(control, "BY", "USER").ToDictionary(static cost => cost["user"]);
        Assert.That(users.Keys, Is.EquivalentTo(new[] { "default", "some" }));
        Assert.That((users["default"]["name"], users["some"]["name"]), Is.EqualTo(("*", "writer")));
        Assert.That(Number(users["some"], "commands"), Is.EqualTo(71));
        Assert.That(Costs(control, "by", "name", "count", "1"), Has.Count.EqualTo(1));
        Assert.That(Costs(control, "BY", "ADDRESS"), Has.Count.EqualTo(1));

        var line = control.Call("CLIENT", "LIST").Text.Split('\n').Single(static line => line.Contains("name=writer"));
        Assert.That(line, Does.EndWith(" tot-cmds=102"));
        Assert.That(line, Does.Contain($" tot-net-out={(70 * 1009) + (32 * 5)} "));
    }

    /// <summary>Time is counted once: what EXEC and scripts execute is in theirs.</summary>
    [Test]
    public void Time_is_that_of_the_commands_a_client_sends()
    {
        using var server = StrataProcess.Start("--workers", "1");
        using var control = server.Connect();
        using var client = Named(server, "busy");
        const string Script = "local t = redis.call('TIME') local s = t[1] * 1000000 + t[2] "
            + "repeat redis.call('GET', 'k') t = redis.call('TIME') until t[1] * 1000000 + t[2] > s + 100000";
        _ = client.Call("EVAL", Script.Replace("'GET'", "'PING'", StringComparison.Ordinal), "0");
        _ = client.Call("MULTI");
        _ = client.Call("EVAL", Script.Replace("'GET'", "'PING'", StringComparison.Ordinal), "0");
        _ = client.Call("EXEC");
        var calls = control.Call("INFO", "commandstats").Text;
        Assert.That(calls, Does.Contain("cmdstat_exec"));
        var cost = Costs(control).Single(static cost => cost["name"] == "busy");
        var started = Usec(calls, "eval");
        Assert.That(Number(cost, "microseconds"), Is.InRange(started, started + (started / 2)));
        Assert.That(Number(cost, "commands"), Is.EqualTo(5));
    }

    /// <summary>Who makes owners up has them count among the others.</summary>
    [Test]
    public void Owners_are_bounded_and_nothing_is_lost()
    {
        const int Owners = TrafficLimits.MostOwnersPerWorker + 50;
        using var server = StrataProcess.Start("--workers", "1");
        using var control = Named(server, "control");
        using var heavy = Named(server, "heavy");
        Times(heavy, 2000, "SET", "key", new string('v', 1000));
        Assert.That(
            () => Costs(control).Select(static cost => cost["name"]), Does.Contain("heavy").After(10_000, 50),
            "once a second it is looked who has cost something");
        for (var i = 0; i < Owners; i++)
        {
            using var client = Named(server, $"{i}:{new string('n', 200)}");
            Times(client, 4, "GET", "key");
        }

        var reply = control.Call("STRATA", "CLIENTS", "COUNT", "100000").Items;
        var costs = reply[3].Items.Select(FieldsOf).ToList();
        const int Most = TrafficLimits.MostOwnersPerWorker;
        Assert.That(costs, Has.Count.InRange(Most - 50, Most));
        Assert.That(costs.Max(static cost => cost["name"].Length), Is.EqualTo(TrafficLimits.OwnerChars));
        Assert.That(costs.Single(static cost => cost["name"] == "heavy")["commands"], Is.EqualTo("2001"));
        var others = FieldsOf(reply[5]);
        Assert.That(others["name"], Is.EqualTo("*"));
        var commands = costs.Where(static cost => cost["name"].Contains(':'))
            .Sum(static cost => Number(cost, "commands"));
        Assert.That(commands + Number(others, "commands"), Is.InRange((Owners - 5) * 5, Owners * 5));
    }

    [TestCase("STRATA CLIENTS BY", "-ERR syntax error")]
    [TestCase("STRATA CLIENTS BY TIME", "-ERR syntax error")]
    [TestCase("STRATA CLIENTS NAME", "-ERR syntax error")]
    [TestCase("STRATA CLIENTS COUNT 0", "-ERR COUNT should be greater than 0")]
    public void What_is_wrong_is_refused(string command, string reply)
    {
        using var server = new TurnServer(1);
        server.Connect().Expect([command], reply);
    }

    [Test]
    public void It_is_nothing_for_everybody()
    {
        using var server = new TurnServer(1);
        var client = server.Connect();
        client.Expect(["ACL SETUSER some on >p ~* +@all -@dangerous", "AUTH some p"], "+OK", "+OK");
        Assert.That(client.Call("STRATA CLIENTS")[0], Does.StartWith("-NOPERM"));
    }

    private static RespConnection Named(ServerProcess server, string name)
    {
        var client = server.Connect();
        Assert.That(client.Call("CLIENT", "SETNAME", name).Text, Is.EqualTo("OK"));
        return client;
    }

    private static void Times(RespConnection client, int times, params string[] command)
    {
        client.Send([.. Enumerable.Repeat(RespCommand.Of(command), times)]);
        Assert.That(Enumerable.Range(0, times).All(_ => !client.ReadReply().IsError));
    }

    /// <summary>The costs when the reader's connection is known to have gone.</summary>
    private static List<Dictionary<string, string>> AwaitGone(RespConnection control)
    {
        var costs = Costs(control);
        for (var i = 0; i < 500 && costs.Any(IsThere); i++)
        {
            Thread.Sleep(10);
            costs = Costs(control);
        }

        return costs;

        static bool IsThere(Dictionary<string, string> cost) => cost["name"] == "reader" && cost["connections"] != "0";
    }

    private static List<Dictionary<string, string>> Costs(RespConnection control, params string[] options)
        => [.. control.Call(["STRATA", "CLIENTS", .. options]).Items[3].Items.Select(FieldsOf)];

    private static Dictionary<string, string> FieldsOf(RespValue cost)
    {
        var fields = cost.Items.Chunk(2).ToDictionary(static pair => pair[0].Text, static pair => pair[1].Text);
        Assert.That(fields.Keys, Is.EqualTo(s_fields));
        return fields;
    }

    private static void AssertCost(
        Dictionary<string, string> cost, int commands, int connections, string library = "", string user = "default")
    {
        Assert.That(
            (cost["commands"], cost["connections"], cost["lib-name"], cost["user"]),
            Is.EqualTo(($"{commands}", $"{connections}", library, user)),
            cost["name"]);
        Assert.That(Number(cost, "microseconds"), Is.Positive);
    }

    private static long Number(Dictionary<string, string> cost, string field)
        => long.Parse(cost[field], CultureInfo.InvariantCulture);

    private static long Usec(string statistics, string command)
    {
        var name = $"cmdstat_{command}:";
        var line = statistics.Split('\n').Single(line => line.StartsWith(name, StringComparison.Ordinal));
        var part = line.Split(',').Single(static part => part.StartsWith("usec=", StringComparison.Ordinal));
        return long.Parse(part["usec=".Length..], CultureInfo.InvariantCulture);
    }
}
