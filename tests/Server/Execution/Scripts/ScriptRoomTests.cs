using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Execution.Scripts;

/// <summary>Memory of what scripts answer: it is made in the script's, and sent from the server's.</summary>
[TestFixture]
internal sealed class ScriptRoomTests
{
    private const int Strings = 100;

    // Of as many strings of 100 KB a reply of 10 MB lies in 12.8 MB, which were 6.4 MB before.
    private static readonly string s_script =
        $"local t=string.rep('x',100000) local r={{}} for i=1,{Strings} do r[i]=t end return r";

    [TestCase(15, "-OOM there is no memory for the script")]
    [TestCase(20, "-OOM there is no memory for the script's reply")]
    [TestCase(30, null)]
    public void It_is_asked_for_where_it_grows_and_where_it_is_copied(int megabytes, string? refusal)
    {
        using var server = new TurnServer(workers: 1);
        var client = server.Connect();
        Assert.That(Run(server, client, "return 1"), Is.EqualTo(":1"));
        var budget = server.Server.Context.Shards.Budget;
        budget.LimitBytes = budget.UsedBytes;
        budget.Charge(budget.BytesBeyondLimit() - ((long)megabytes << 20));
        var reply = Run(server, client, s_script);
        Assert.That(refusal == null ? reply.Length > 100_000 * Strings : reply == refusal);
        budget.LimitBytes = 0;
    }

    [Test]
    public void An_error_of_the_script_is_asked_for()
    {
        using var server = new TurnServer(workers: 1);
        var client = server.Connect();
        Assert.That(Run(server, client, "return 1"), Is.EqualTo(":1"));
        var budget = server.Server.Context.Shards.Budget;
        budget.LimitBytes = budget.UsedBytes;
        budget.Charge(budget.BytesBeyondLimit() - (3 << 20));
        Assert.That(
            Run(server, client, "return redis.error_reply(string.rep('x',1000000))"),
            Does.StartWith("-OOM there is no memory for the script"));
        budget.LimitBytes = 0;
        var text = Run(server, client, "return redis.error_reply(string.rep('x',1000000))");
        Assert.That(text, Has.Length.GreaterThan(1_000_000));
    }

    private static string Run(TurnServer server, TurnClient client, string script)
    {
        client.SendRaw($"*3\r\n$4\r\nEVAL\r\n${script.Length}\r\n{script}\r\n$1\r\n0\r\n");
        server.Settle();
        return client.Rest(1)[0];
    }
}
