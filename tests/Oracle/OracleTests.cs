using System.Diagnostics;
using System.Globalization;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Oracle;

/// <summary>
/// The oracle test: seeded random command sequences run against Strata and against redis-server, and every reply
/// must be the same (as a set where order is free; <see cref="KnownDifferences"/> lists the exceptions). Each
/// sequence runs twice, in lock step and in pipelined bursts. A failing sequence is shrunk and printed with its
/// seed as redis-cli lines.
/// <para>
/// Environment: ORACLE_SEED (first seed; the seeds after it follow one by one; default: 1, so that a commit's tests say
/// the same each time; with ORACLE_MINUTES a random one, for runs by hand that look for what is not known yet),
/// ORACLE_SEQUENCES (how many) or ORACLE_MINUTES (how long; default: about a minute), ORACLE_FAMILIES
/// (comma-separated: strings, bitmaps, keys, expiry, connection, server, lists, sort, hashes, sets, sortedsets,
/// streams,
/// transactions, blocking, pubsub, scripts, functions, acl; default: all). To repeat a failure:
/// <c>ORACLE_SEED=N ORACLE_SEQUENCES=1 dotnet test tests --filter OracleTests</c> with the same families.
/// </para>
/// </summary>
[Category(TestCategories.Long)]
[TestFixture]
internal sealed class OracleTests
{
    private const double DefaultMinutes = 1;
    private const int DefaultSeed = 1;

    /// <summary>What a sequence that sets the memory limit meets depends on the tier.</summary>
    private const string TierFamilies =
        "strings,bitmaps,hyperloglogs,keys,payloads,expiry,connection,lists,sort,sortedsets,geo,sets,hashes,streams,"
        + "transactions,blocking,pubsub";

    [Test]
    public void Every_reply_is_the_same_as_redis()
        => Compare(StartInMemory, Environment.GetEnvironmentVariable("ORACLE_FAMILIES"));

    /// <summary>All data leaves memory as soon as it can, so that nearly every command meets it on the disk.</summary>
    [Test]
    public void Every_reply_is_the_same_when_the_data_is_on_disk()
        => Compare(StartEager, Environment.GetEnvironmentVariable("ORACLE_FAMILIES") ?? TierFamilies);

    private static ServerProcess StartInMemory()
    {
        var server = StrataProcess.Start("--enable-debug-command", "local");
        using var connection = server.Connect();
        Assert.That(connection.Call("DEBUG", "SMALL-MAXMEMORY", "1").Text, Is.EqualTo("OK"));
        Assert.That(connection.Call("DEBUG", "SMALL-STEPS", "1").Text, Is.EqualTo("OK"));
        return server;
    }

    private static ServerProcess StartEager()
    {
        var server = StrataProcess.Start(
            "--storage-tier", "yes", "--segment-size", "1mb", "--enable-debug-command", "local");
        using var connection = server.Connect();
        Assert.That(connection.Call("DEBUG", "TIER-EAGER", "1").Text, Is.EqualTo("OK"));
        Assert.That(connection.Call("DEBUG", "SMALL-STEPS", "1").Text, Is.EqualTo("OK"));
        return server;
    }

    private static void Compare(Func<ServerProcess> start, string? families)
    {
        var sequences = (long?)Number("ORACLE_SEQUENCES") ?? long.MaxValue;
        var length = Number("ORACLE_MINUTES");
        var minutes = length ?? (sequences == long.MaxValue ? DefaultMinutes : double.MaxValue);
        var seed = (int?)Number("ORACLE_SEED") ?? (length is null ? DefaultSeed : Random.Shared.Next());
        var generator = RandomCommandGenerator.Of(families);

        using var redis = new ServerTarget("redis", () => RedisProcess.Start("--enable-debug-command", "local"));
        using var strata = new ServerTarget("strata", start);
        var runner = new SequenceRunner(strata, redis);

        TestContext.Out.WriteLine($"First seed: {seed}");
        var clock = Stopwatch.StartNew();
        var done = 0L;
        for (; done < sequences && clock.Elapsed.TotalMinutes < minutes; done++, seed = unchecked(seed + 1))
        {
            var failure = OracleCheck.Run(runner, generator, seed);
            if (failure is not null)
            {
                Assert.Fail(failure);
            }
        }

        var seconds = clock.Elapsed.TotalSeconds;
        TestContext.Out.WriteLine($"{done} sequences agree, each in lock step and in bursts; {seconds:0} s.");
    }

    private static double? Number(string variable)
    {
        var text = Environment.GetEnvironmentVariable(variable);
        return string.IsNullOrEmpty(text) ? null : double.Parse(text, CultureInfo.InvariantCulture);
    }
}
