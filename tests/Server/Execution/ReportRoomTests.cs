using System.Globalization;
using NUnit.Framework;
using Strata.Storage.Memory;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Execution;

/// <summary>Long answers of commands that tell of the server: for want of memory they are refused, also where they are
/// made in one go.</summary>
[TestFixture]
internal sealed class ReportRoomTests
{
    private const int Names = 4000;

    private static readonly string s_command = string.Join(' ', Enumerable.Repeat("get", Names));
    private static readonly string s_names = string.Join(' ', Enumerable.Repeat(new string('n', 100), Names));

    [TestCase("COMMAND INFO {0}")]
    [TestCase("COMMAND DOCS {0}")]
    [TestCase("COMMAND GETKEYS MSET {1}")]
    [TestCase("COMMAND GETKEYSANDFLAGS MSET {1}")]
    [TestCase("PUBSUB NUMSUB {1}")]
    [TestCase("PUBSUB SHARDNUMSUB {1}")]
    public void A_report_is_refused_in_a_transaction(string command)
    {
        command = string.Format(CultureInfo.InvariantCulture, command, s_command, s_names);
        using var server = new TurnServer(workers: 1);
        var (client, other) = (server.Connect(), server.Connect());
        other.Expect(["MULTI", "CLIENT INFO", command, "EXISTS k"], "+OK", "+QUEUED", "+QUEUED", "+QUEUED");
        var budget = AtEnd(server);
        Assert.That(other.Call("EXEC")[0], Does.EndWith(" -OOM :0]"));
        budget.LimitBytes = 0;
        Assert.That(client.All(1, command)[0].Length, Is.GreaterThan(40 * Names));
    }

    /// <summary>Its replies are kept until the workers have been asked.</summary>
    [Test]
    public void A_reply_behind_a_question_to_all_workers_is_refused()
    {
        using var server = new TurnServer(workers: 2);
        var client = server.Connect();
        _ = client.Call("SETRANGE large 2000000 x");
        client.Expect(
            ["MULTI", "CLIENT UNBLOCK 900", "GET large", "EXISTS k"], "+OK", "+QUEUED", "+QUEUED", "+QUEUED");
        var budget = AtEnd(server);
        client.Expect(["EXEC"], "[:0 -OOM :0]");
        budget.LimitBytes = 0;
    }

    /// <summary>They are in memory twice while they are copied.</summary>
    [Test]
    public void Who_finds_no_memory_to_copy_replies_behind_a_question_is_closed()
    {
        const int Bytes = 20_000_000;
        using var server = new TurnServer(workers: 2);
        var client = server.Connect();
        _ = client.Call($"SETRANGE large {Bytes - 1} x");
        string[] transaction = ["MULTI", "CLIENT UNBLOCK 900", "GET large", "EXEC"];
        Assert.That(client.All(transaction.Length, transaction)[^1], Has.Length.EqualTo(Bytes + "[:0 $]".Length));
        var budget = server.Server.Context.Shards.Budget;
        _ = budget.Buffers.ReleaseIdle();
        var used = budget.UsedBytes;
        budget.LimitBytes = used;
        budget.Charge(budget.BytesBeyondLimit() - (Bytes * 3 / 2));
        client.Send(transaction);
        server.Settle();
        _ = client.Replies();
        Assert.That(client.IsClosed);
        budget.LimitBytes = 0;
    }

    [Test]
    public void What_users_were_refused_is_listed_only_where_there_is_memory()
    {
        using var server = new TurnServer(workers: 1);
        var (client, other) = (server.Connect(), server.Connect());
        _ = client.Call("ACL SETUSER u on nopass +get ~a", "CONFIG SET acllog-max-len 1000");
        other.Expect(["AUTH u x"], "+OK");
        for (var i = 0; i < 300; i++)
        {
            _ = other.Call($"GET {new string('k', 1000)}{i}");
        }

        client.Expect(["MULTI", "ACL LOG 1000", "ACL LOG RESET"], "+OK", "+QUEUED", "+QUEUED");
        var budget = AtEnd(server);
        client.Expect(["EXEC"], "[-OOM +OK]");
        budget.LimitBytes = 0;
        client.Expect(["ACL LOG"], "[]");
    }

    [Test]
    public void Arguments_that_are_kept_while_a_command_is_executed_are_asked_for()
    {
        const int Pairs = 20_000;
        using var server = new TurnServer(workers: 1);
        var client = server.Connect();
        var command = "CONFIG SET" + string.Concat(Enumerable.Repeat(" hz 10", Pairs));
        client.Expect(["CONFIG SET hz 10"], "+OK");
        Assert.That(client.All(1, command)[0], Does.StartWith("-ERR CONFIG SET failed"));
        var budget = AtEnd(server);
        budget.Charge(-80 * Pairs); // For its arguments, and to list them as if they were keys.
        Assert.That(client.All(1, command)[0], Does.StartWith("-OOM"));
        budget.LimitBytes = 0;
    }

    [Test]
    public void Words_of_info_that_ask_for_nothing_ask_for_no_section()
    {
        using var server = new TurnServer(workers: 1);
        var client = server.Connect();
        client.Expect(["INFO a b"], "$");
        Assert.That(client.Call("INFO a KEYSPACE b")[0], Does.StartWith("$# Keyspace").And.Not.Contain("# Server"));
        Assert.That(client.Call("INFO a default")[0], Does.StartWith("$# Server"));
    }

    private static MemoryBudget AtEnd(TurnServer server)
    {
        var budget = server.Server.Context.Shards.Budget;
        budget.LimitBytes = budget.UsedBytes;
        budget.Charge(budget.BytesBeyondLimit());
        return budget;
    }
}
