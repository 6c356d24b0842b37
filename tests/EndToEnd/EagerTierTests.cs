using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>Commands that are sent together, where everything leaves memory as soon as it can.</summary>
public sealed class EagerTierTests
{
    /// <summary>When MGET is executed, nothing of the shard is on the device any more.</summary>
    [Test]
    public void What_the_command_before_had_to_read_does_not_count([Values("1", "2")] string workers)
    {
        using var server = StrataProcess.Start(
            "--storage-tier", "yes", "--segment-size", "1mb", "--workers", workers, "--enable-debug-command", "local");
        using var client = server.Connect();
        Assert.That(client.Call("DEBUG", "TIER-EAGER", "1").Text, Is.EqualTo("OK"));
        for (var i = 0; i < 500; i++)
        {
            client.Send([RespCommand.Of("SET", "key", $"{i}"), RespCommand.Of("MGET", "key")]);
            Assert.That(client.ReadReply().Text, Is.EqualTo("OK"));
            Assert.That(client.ReadReply().Items.Select(item => item.Text), Is.EqualTo([$"{i}"]));
        }
    }
}
