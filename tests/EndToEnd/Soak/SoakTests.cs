using System.Diagnostics;
using System.Globalization;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Soak;

/// <summary>
/// Everything at once, for a while: all types, small and large, keys and fields that expire, blocked clients,
/// transactions, messages, under a memory limit that is too small for it. Then all counts must agree, the memory be
/// within its bounds and the log without a warning. 20 seconds each; SOAK_MINUTES=N makes it N minutes.
/// </summary>
[Category(TestCategories.Long)]
[TestFixture(false)]
[TestFixture(true)]
internal sealed class SoakTests(bool hasTier)
{
    private const long MiB = 1 << 20;
    private const long MaxMemory = 64 * MiB;

    // The limit is kept between commands. What one command adds may be above it, and the page each shard has begun;
    // with a tier a command may bring back a whole large collection from the disk, of 10 MiB here, on each worker.
    private const long OvershootInMemory = 8 * MiB;
    private const long OvershootWithTier = 24 * MiB;

    // What .NET's heap, where INFO is written, has beyond what it had at the start, and fragmentation, in per cent.
    private const long ManagedBytes = 64 * MiB;
    private const long FragmentationPercent = 30;

    private long _mostUsed;
    private long _mostResident;

    private static TimeSpan Duration
        => Environment.GetEnvironmentVariable("SOAK_MINUTES") is { Length: > 0 } minutes
            ? TimeSpan.FromMinutes(double.Parse(minutes, CultureInfo.InvariantCulture))
            : TimeSpan.FromSeconds(20);

    [Test]
    public void Counts_memory_and_log_are_in_order_after_a_soak()
    {
        using var server = ServerProcess.Start(ServerKind.Strata, [
            "--workers", "2", "--maxmemory", SoakTraffic.Text(MaxMemory),
            .. hasTier ? (string[])["--storage-tier", "yes", "--segment-size", "4mb"] :
                ["--maxmemory-policy", "allkeys-lru"]]);
        using var connection = server.Connect();
        var baseBytes = server.ResidentBytes();
        SoakTraffic.Fill(connection);
        var messages = new SoakMessages(server);
        var large = new LargeCollections(keepsAll: hasTier);
        var streams = new SoakStreams(keepsAll: hasTier);
        SoakStreams.Begin(connection);
        ConcurrentClients.Run(server, Duration, [
            SoakTraffic.Turn, SoakTraffic.Turn, SoakTraffic.Turn, large.Turn,
            SoakQueues.Produce, SoakQueues.Consume, SoakQueues.Consume, messages.Turn,
            streams.Produce, streams.Consume, streams.Consume,
            (connection, _) => Watch(server, connection)]);
        messages.End();
        streams.End(connection);

        TestContext.Out.WriteLine(
            $"{ServerInfo.Number(connection, "stats", "total_commands_processed")} commands, {large.Built} large "
            + $"collections, used at most {_mostUsed / MiB} MiB, resident {_mostResident / MiB} MiB");
        Assert.That(large.Built, Is.Positive, "large collections");
        AssertTraffic(connection);
        SoakCensus.WaitForExpiry(connection);
        var keys = Enumerable.Range(0, SoakTraffic.Databases).Sum(i => SoakCensus.Take(connection, i));
        TestContext.Out.WriteLine($"{keys} keys");
        AssertMemory(connection, baseBytes);
        AssertFlushFreesAll(connection);
        server.StopGracefully();
        Assert.That(server.Output.Split('\n'), Has.None.Contains(" # "), "warnings and errors in the log");
    }

    private void AssertTraffic(RespConnection connection)
    {
        Assert.That(ServerInfo.Number(connection, "stats", "expired_keys"), Is.Positive);
        Assert.That(ServerInfo.Number(connection, "clients", "blocked_clients"), Is.Zero);
        Assert.That(ServerInfo.Number(connection, "clients", "total_blocking_keys"), Is.Zero);
        if (hasTier)
        {
            Assert.That(ServerInfo.Number(connection, "stats", "evicted_keys"), Is.Zero);
            Assert.That(ServerInfo.Number(connection, "tier", "tier_reads"), Is.Positive);
            Assert.That(ServerInfo.Number(connection, "tier", "tier_failed_writes"), Is.Zero);
            Assert.That(ServerInfo.Number(connection, "tier", "tier_failed_reads"), Is.Zero);
            Assert.That(ServerInfo.Number(connection, "tier", "tier_damaged_records"), Is.Zero);
        }
        else
        {
            Assert.That(ServerInfo.Number(connection, "stats", "evicted_keys"), Is.Positive);
        }
    }

    private void AssertMemory(RespConnection connection, long baseBytes)
    {
        var most = MaxMemory + (hasTier ? OvershootWithTier : OvershootInMemory);
        Assert.That(_mostUsed, Is.LessThan(most), "the most that was used");
        Assert.That(_mostResident, Is.LessThan(baseBytes + ManagedBytes + (most * (100 + FragmentationPercent) / 100)),
            $"the most that was resident; {baseBytes} at the start");
        var clock = Stopwatch.StartNew();
        while (ServerInfo.Number(connection, "memory", "used_memory") > MaxMemory)
        {
            Assert.That(clock.ElapsedMilliseconds, Is.LessThan(Patience.Ms), () =>
                $"more than maxmemory is used:\n{ServerInfo.Read(connection, "memory")}");
            SoakTraffic.Execute(connection, [SoakCommand.Of("SET", "one more", "1")]);
        }
    }

    private static void AssertFlushFreesAll(RespConnection connection)
    {
        Assert.That(connection.Call("FLUSHALL").Text, Is.EqualTo("OK"));
        Assert.That(connection.Call("DBSIZE").Integer, Is.Zero);
        Assert.That(ServerInfo.Read(connection, "keyspace"), Does.Not.Contain("keys="));
        var clock = Stopwatch.StartNew();
        while (ServerInfo.Number(connection, "memory", "heap_used_bytes") != 0)
        {
            Assert.That(clock.ElapsedMilliseconds, Is.LessThan(Patience.Ms), () =>
                $"large collections that are gone have memory:\n{ServerInfo.Read(connection, "memory")}");
            Thread.Sleep(10);
        }
    }

    private void Watch(ServerProcess server, RespConnection connection)
    {
        _mostUsed = Math.Max(_mostUsed, ServerInfo.Number(connection, "memory", "used_memory"));
        _mostResident = Math.Max(_mostResident, server.ResidentBytes());
        Thread.Sleep(20);
    }
}
