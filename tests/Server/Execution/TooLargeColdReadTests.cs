using NUnit.Framework;
using Strata.Tests.Storage.Devices;

namespace Strata.Tests.Server.Execution;

/// <summary>Commands whose records, needed all at one moment, are more than memory may hold.</summary>
[TestFixture]
internal sealed class TooLargeColdReadTests
{
    private const int Keys = 24;
    private const int ValueBytes = 1_000_000;

    [Test]
    public void Are_refused_whole_and_change_nothing([Values(1, 2)] int workers)
    {
        using var device = new SimulatedDevice(seed: 1, segmentBytes: 4 << 20);
        using var server = new TurnServer(workers, null, device, "--maxmemory", "8mb");
        var client = server.Connect();
        for (var i = 0; i < Keys; i++)
        {
            Assert.That(Call(server, client, $"SET key:{i} {new string('x', ValueBytes)}"), Is.EqualTo("+OK"));
        }

        var names = string.Join(' ', Enumerable.Range(0, Keys).Select(i => $"key:{i}"));
        const string TooLarge = "OOM The values on the disk that the command needs at the same time";
        Assert.That(Call(server, client, $"MGET {names}"), Does.StartWith("-" + TooLarge));
        Assert.That(Call(server, client, $"BITOP OR sum {names}"), Does.StartWith("-" + TooLarge));
        Assert.That(
            Call(server, client, ["MULTI", "SET other x", .. names.Split(' ').Select(name => $"GET {name}"), "EXEC"]),
            Does.StartWith("-EXECABORT Transaction discarded because of: " + TooLarge));
        Assert.That(Call(server, client, $"EXISTS {names} sum other"), Is.EqualTo($":{Keys}"));
        Assert.That(Call(server, client, "EXEC"), Is.EqualTo("-ERR EXEC without MULTI"));
        Assert.That(Call(server, client, "MGET key:0 key:1 key:2"), Has.Length.GreaterThan(3 * ValueBytes));
        Assert.That(Call(server, client, $"DEL {names}"), Is.EqualTo($":{Keys}"));
    }

    /// <summary>The last reply.</summary>
    private static string Call(TurnServer server, TurnClient client, params string[] commands)
    {
        client.Send(commands);
        var replies = new List<string>();
        for (var i = 0; replies.Count < commands.Length; i++)
        {
            Assert.That(i, Is.LessThan(100), "all are answered");
            server.Clock.AdvanceMs(5);
            server.Settle();
            replies.AddRange(client.Replies());
        }

        return replies[^1];
    }
}
