using System.Security.Cryptography;
using System.Text;
using NUnit.Framework;
using Strata.Storage.Memory;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>Values so large that their pages are moved, in commands that find the lease of their shard taken.</summary>
[TestFixture]
public sealed class WaitingLargeValueTests
{
    private static readonly byte[] s_value = RandomNumberGenerator.GetBytes((int)(2 * PageMove.LeastBytes) + 12_345);

    [TestCase("SET")]
    [TestCase("MSET")]
    public void Take_memory_once(string verb)
    {
        // On a busy machine the value comes when the lease is free again: then it is held longer.
        for (var holdMs = 500; !TrySet(verb, holdMs); holdMs *= 2)
        {
            Assert.That(holdMs, Is.LessThan(Patience.Ms), "the lease was never in anyone's way");
        }
    }

    /// <summary>Sets a value while another worker holds the lease.</summary>
    /// <returns>Whether that was in its way.</returns>
    private static bool TrySet(string verb, int holdMs)
    {
        using var server = StrataProcess.Start("--workers", "2", "--shards", "1", "--enable-debug-command", "yes");
        using var holder = server.Connect();
        using var client = server.Connect(); // Clients are dealt out to the workers in turn.
        _ = client.Call("SET", "warm", "up");
        var idle = server.ResidentBytes();

        holder.Send(RespCommand.Of("DEBUG", "HOLD-LEASE", "0", $"{holdMs}"));
        var reply = client.Call(new RespCommand([Encoding.ASCII.GetBytes(verb), "key"u8.ToArray(), s_value]));
        var peak = server.PeakResidentBytes();

        Assert.That(holder.ReadReply(), Is.EqualTo(RespValue.Simple("OK")));
        Assert.That(reply, Is.EqualTo(RespValue.Simple("OK")));
        Assert.That(client.Call("GET", "key").Bytes.AsSpan().SequenceEqual(s_value), Is.True);
        TestContext.Out.WriteLine($"{(double)(peak - idle) / s_value.Length:0.00} of the value's size at the most");
        Assert.That(peak - idle, Is.LessThan(1.5 * s_value.Length));
        return !client.Call("INFO", "shards").Text.Contains("lease_contentions=0", StringComparison.Ordinal);
    }
}
