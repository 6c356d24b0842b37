using System.Globalization;
using NUnit.Framework;
using Strata.Tests.Storage.Devices;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Execution;

/// <summary>
/// Pipelined commands of several clients on a server whose device fails, delays, reorders and crashes: every command
/// has its reply, in order, and what is not an error is what a dictionary says. TIER_SEED=N repeats one schedule.
/// </summary>
[Category(TestCategories.Long)]
internal sealed class TierFaultTests
{
    private const int Schedules = 1000;
    private const int Batches = 8;

    [Test]
    public void A_thousand_schedules_of_pipelines()
    {
        var chosen = Environment.GetEnvironmentVariable("TIER_SEED");
        var first = string.IsNullOrEmpty(chosen)
            ? Random.Shared.Next()
            : int.Parse(chosen, CultureInfo.InvariantCulture);
        var errors = 0;
        var reads = 0L;
        for (var i = 0; i < (string.IsNullOrEmpty(chosen) ? Schedules : 1); i++)
        {
            var seed = unchecked(first + i);
            try
            {
                errors += RunSchedule(seed, ref reads);
            }
            catch
            {
                TestContext.Out.WriteLine($"Run it again with TIER_SEED={seed}");
                throw;
            }
        }

        TestContext.Out.WriteLine($"{errors} errors answered, {reads} reads of the device");
        if (string.IsNullOrEmpty(chosen))
        {
            Assert.That(errors, Is.GreaterThan(Schedules), "the faults were felt");
            Assert.That(reads, Is.GreaterThan(3 * Schedules), "data was on the device");
        }
    }

    private static int RunSchedule(int seed, ref long reads)
    {
        var random = new Random(seed);
        var device = new SimulatedDevice((ulong)seed, segmentBytes: 1 << 20);
        using var server = new ServerInProcess(
            device, "--workers", random.Next(2) == 0 ? "1" : "2", "--shards", "2", "--maxmemory", "160kb",
            "--hz", "100",
            "--device-throttle-limit", (1 + random.Next(40)).ToString(CultureInfo.InvariantCulture));
        using var one = new FaultyClient(server.Connect(), random.Next(), "one");
        using var two = new FaultyClient(server.Connect(), random.Next(), "two");
        for (var batch = 0; batch < Batches; batch++)
        {
            one.Send();
            two.Send();
            if (random.Next(3) == 0)
            {
                device.Vary(random);
            }

            one.Receive();
            two.Receive();
        }

        device.Faults.Heal();
        reads += device.Counts.Reads;
        if (random.Next(4) == 0)
        {
            device.Crash(); // From here on the device answers nothing but errors, and memory nothing but the truth.
        }

        one.CheckAll();
        two.CheckAll();
        return one.Errors + two.Errors;
    }
}
