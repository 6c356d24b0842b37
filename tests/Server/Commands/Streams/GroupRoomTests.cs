using NUnit.Framework;
using Strata.Tests.Server.Execution;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Commands.Streams;

/// <summary>Consumers and what is pending are made while memory is over its limit, but not without end.</summary>
[TestFixture]
internal sealed class GroupRoomTests
{
    private const int MostBytes = 30 << 20;
    private static readonly string s_long = new('c', 20_000);

    [TestCase("XREADGROUP GROUP g {0} STREAMS s >")]
    [TestCase("XREADGROUP GROUP g {0} STREAMS s 0")]
    [TestCase("XREADGROUP GROUP g {0} NOACK STREAMS s >")]
    [TestCase("XCLAIM s g {0} 0 1-0")]
    [TestCase("XAUTOCLAIM s g {0} 0 0")]
    public void Consumers_are_made_until_memory_is_at_its_end(string command)
    {
        using var server = new ServerInProcess(device: null, "--workers", "1", "--maxmemory", "16mb");
        using var client = server.Connect();
        Call(client, "XADD s 1-0 f v");
        Call(client, "XGROUP CREATE s g 0");
        Call(client, "XREADGROUP GROUP g first STREAMS s >");
        var made = 0;
        var reply = Call(client, command.Replace("{0}", $"{s_long}{made}", StringComparison.Ordinal));
        for (; !reply.IsError && made < 5_000; made++)
        {
            reply = Call(client, command.Replace("{0}", $"{s_long}{made}", StringComparison.Ordinal));
        }

        Assert.That(reply.Text, Does.StartWith("OOM"), $"after {made}");
        Assert.That(server.Server.Context.Shards.Budget.UsedBytes, Is.LessThan(MostBytes));
        Assert.That(Call(client, "XREADGROUP GROUP g first STREAMS s 0").IsError, Is.False, "who is there may go on");
        Assert.That(Call(client, "XREADGROUP GROUP g first STREAMS s >").IsError, Is.False);
        Assert.That(Call(client, "XACK s g 1-0").IsError, Is.False);
        Assert.That(Call(client, "XGROUP DELCONSUMER s g first").IsError, Is.False);
        Assert.That(Call(client, "DEL s").Integer, Is.EqualTo(1));
        Assert.That(Call(client, "XADD s 1-0 f v").Text, Is.EqualTo("1-0"));
    }

    private static RespValue Call(RespConnection client, string command) => client.Call(command.Split(' '));
}
