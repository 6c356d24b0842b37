using System.Globalization;
using NUnit.Framework;
using Strata.Tests.Server.Execution;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Clients.Access;

/// <summary>The memory of users: what one holds is charged, and what a change takes is asked for before.</summary>
[TestFixture]
internal sealed class UserRoomTests
{
    private const int Rules = 10_000;
    private const string Refusal = "-OOM command not allowed when used memory > 'maxmemory'.";

    private static readonly string s_long = new('x', 500);

    /// <summary>What the user holds for each of its rules is charged, too.</summary>
    [TestCase("~{0}:key:*", 18, 200, false)]
    [TestCase("&{0}:channel", 19, 200, false)]
    [TestCase(">{0}", 40, 450, false)]
    [TestCase("+get|{0}", 70, 450, false)]
    [TestCase("(+get ~{0})", 480, 450, false)]
    [TestCase("~{0}:key:*", 18, 200, true)]
    public void A_change_asks_before_it_takes(string rule, int heldBytes, int askedBytes, bool isInSelector)
    {
        using var server = new TurnServer(workers: 1);
        var client = server.Connect();
        var rules = string.Join(' ', Enumerable.Range(0, Rules).Select(i => RuleOf(rule, i)));
        var command = $"ACL SETUSER u {(isInSelector ? $"({rules})" : rules)}";
        var budget = server.Server.Context.Shards.Budget;
        budget.LimitBytes = budget.UsedBytes;
        budget.Charge(budget.BytesBeyondLimit());
        budget.Charge((50 - askedBytes) * Rules); // For the command; and it is less than a rule takes while it is made.
        var used = budget.UsedBytes;
        Assert.That(client.All(1, command)[0], Is.EqualTo(Refusal));
        client.Expect(["ACL GETUSER u"], "nil");
        _ = budget.Buffers.ReleaseIdle();
        Assert.That(budget.UsedBytes, Is.InRange(used - (64 << 10), used + (64 << 10)));

        budget.LimitBytes = 0;
        Assert.That(client.All(1, command)[0], Is.EqualTo("+OK"));
        Assert.That(budget.PeakBytes, Is.GreaterThan(used + (askedBytes * Rules)));
        budget.TakeUncollected();
        Assert.That(budget.UsedBytes, Is.GreaterThan(used + (heldBytes * Rules)));
        client.Expect(["ACL DELUSER u default"], "-ERR The 'default' user cannot be removed");
        client.Expect(["ACL DELUSER none u"], ":1");
        budget.TakeUncollected();
        _ = budget.Buffers.ReleaseIdle();
        Assert.That(budget.UsedBytes, Is.InRange(used - (64 << 10), used + (64 << 10)));
    }

    [Test]
    public void A_user_can_be_turned_off_at_the_end_of_memory()
    {
        using var server = new TurnServer(workers: 1);
        var client = server.Connect();
        client.Expect(["ACL SETUSER u on ~*"], "+OK");
        var budget = server.Server.Context.Shards.Budget;
        budget.LimitBytes = budget.UsedBytes;
        budget.Charge(budget.BytesBeyondLimit());
        client.Expect(["ACL SETUSER u ~another", "ACL SETUSER u off resetkeys"], Refusal, "+OK");
        budget.LimitBytes = 0;
    }

    [Test]
    public void A_user_is_shown_only_where_there_is_memory_for_the_text()
    {
        using var server = new TurnServer(workers: 1);
        var client = server.Connect();
        _ = client.All(1, "ACL SETUSER u " + string.Join(' ', Enumerable.Range(0, Rules).Select(i => $"~{i}{s_long}")));
        var budget = server.Server.Context.Shards.Budget;
        budget.LimitBytes = budget.UsedBytes;
        budget.Charge(budget.BytesBeyondLimit());
        client.Expect(["ACL GETUSER u", "ACL LIST"], Refusal, Refusal);
        budget.LimitBytes = 0;
    }

    private static string RuleOf(string rule, int i) => string.Format(CultureInfo.InvariantCulture, rule, i);
}
