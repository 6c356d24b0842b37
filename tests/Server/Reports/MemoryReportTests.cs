using NUnit.Framework;
using Strata.Server.Metrics;
using Strata.Server.Options;
using Strata.Server.Reports;
using Strata.Storage.Tiering;

namespace Strata.Tests.Server.Reports;

/// <summary>MEMORY DOCTOR.</summary>
internal sealed class MemoryReportTests
{
    private const long Megabyte = 1 << 20;

    [Test]
    public void Without_data_nothing_is_said()
        => Assert.That(Write(new MemoryOverview()), Does.StartWith("There is almost no data yet"));

    [TestCase(MaxMemoryPolicy.NoEviction, "writes are about to be refused")]
    [TestCase(MaxMemoryPolicy.AllKeysLru, "keys are being evicted")]
    public void Where_all_data_must_fit_a_full_memory_is_told(MaxMemoryPolicy policy, string text)
    {
        var full = new MemoryOverview { UsedBytes = 99 * Megabyte, LimitBytes = 100 * Megabyte };
        Assert.That(Write(full, policy), Does.Contain(text).And.Contain("storage-tier"));
    }

    [Test]
    public void With_a_tier_a_full_memory_is_as_it_should_be()
        => Assert.That(Write(Tiered(new TierOverview())), Is.EqualTo("Memory is used well: nothing to do.\n"));

    [Test]
    public void What_is_on_disk_is_told()
    {
        var tier = new TierOverview { DeviceLiveBytes = 3 * Megabyte, DeviceUsedBytes = 4 * Megabyte };
        Assert.That(
            Write(Tiered(tier)),
            Is.EqualTo("Memory is used well: nothing to do.\n\n3.00M of the data are on disk. INFO tier says more.\n"));
    }

    [Test]
    public void A_disk_that_takes_nothing_is_told_even_without_data()
    {
        var overview = new MemoryOverview { Tier = new TierOverview(), TierFailure = 28 };
        Assert.That(Write(overview), Does.Contain("No space left on device (errno 28)").And.Contain("'dir'"));
    }

    [Test]
    public void What_cannot_be_read_is_told()
    {
        var tier = new TierOverview { DamagedRecords = 2, FailedReads = 3 };
        Assert.That(Write(Tiered(tier)), Does.Contain("3 reads").And.Contain("2 records").And.Contain("-IOERR"));
    }

    [Test]
    public void An_index_that_leaves_no_room_is_told()
    {
        var overview = Tiered(new TierOverview()) with { IndexBytes = 60 * Megabyte };
        Assert.That(Write(overview), Does.Contain("60 % of maxmemory"));
    }

    [Test]
    public void Dead_records_on_disk_are_told()
    {
        var tier = new TierOverview { DeviceLiveBytes = 10 * Megabyte, DeviceUsedBytes = 100 * Megabyte };
        Assert.That(Write(Tiered(tier)), Does.Contain("90 % ").And.Contain("compaction-garbage-percent"));
    }

    private static MemoryOverview Tiered(TierOverview tier)
        => new() { UsedBytes = 99 * Megabyte, LimitBytes = 100 * Megabyte, Tier = tier };

    private static string Write(MemoryOverview memory, MaxMemoryPolicy policy = MaxMemoryPolicy.NoEviction)
        => MemoryReport.Write(memory, policy);
}
