using System.Globalization;
using NUnit.Framework;
using Strata.Storage.Memory;

namespace Strata.Tests.Storage.Memory;

/// <summary>What the kernel is told about a region's pages.</summary>
[TestFixture]
internal sealed class StripedRegionTests
{
    [TestCase(4, 18, ReservedRegion.HugePageBytes)]
    [TestCase(16, 18, 4 << 20)]
    public unsafe void Huge_pages_begin_behind_the_first_stripes_of_all_owners(
        int owners, int stripeBits, int smallBytes)
    {
        Assume.That(Directory.Exists("/sys/kernel/mm/transparent_hugepage"), "the kernel knows huge pages");
        using var region = new StripedRegion(64 << 20, owners, stripeBits);
        region.UseHugePages(true);
        var start = region.Of(0).Base;
        Assert.That(FlagsAt(start), Does.Contain("nh"));
        Assert.That(FlagsAt(start + smallBytes - 1), Does.Contain("nh"));
        Assert.That(FlagsAt(start + smallBytes), Does.Contain("hg"));
        Assert.That(FlagsAt(start + region.Region.Bytes - 1), Does.Contain("hg"));

        region.UseHugePages(false);
        Assert.That(FlagsAt(start + smallBytes), Does.Contain("nh"));
    }

    /// <summary>As a shard is behind whose memory is in large collections.</summary>
    [Test]
    public unsafe void A_huge_page_is_asked_for_where_all_owners_use_it_and_not_where_some_are_behind()
    {
        Assume.That(Directory.Exists("/sys/kernel/mm/transparent_hugepage"), "the kernel knows huge pages");
        const int Owners = 16;
        const int StripeBits = 18;
        const int Rows = 6;
        const int StripesAlone = 20;
        using var region = new StripedRegion(5L << 30, Owners, StripeBits);
        region.UseHugePages(true);
        var frames = Enumerable.Range(0, Owners)
            .Select(owner => new FrameAllocator(new MemoryBudget(), region.Of(owner))).ToArray();
        for (var i = 0; i < Rows * Owners; i++)
        {
            _ = frames[i % Owners].Rent(1 << StripeBits);
        }

        Assert.That(FlagsOf(row: Rows - 1), Does.Contain("hg"));
        var alone = Enumerable.Range(0, StripesAlone).Select(_ => frames[0].Rent(1 << StripeBits)).ToArray();
        Assert.That(FlagsOf(row: Rows), Does.Contain("hg"), "those before are full");
        Assert.That(FlagsOf(row: Rows + 2), Does.Contain("nh"));
        Assert.That(FlagsOf(row: Rows + StripesAlone - 1), Does.Contain("nh"));

        region.UseHugePages(false);
        region.UseHugePages(true);
        Assert.That(FlagsOf(row: Rows - 1), Does.Contain("hg"));
        Assert.That(FlagsOf(row: Rows + StripesAlone - 1), Does.Contain("nh"), "told anew");
        Assert.That(FlagsOf(row: Rows + StripesAlone), Does.Contain("hg"), "nobody uses it");

        for (var i = 0; i < StripesAlone * (Owners - 1); i++)
        {
            _ = frames[1 + (i % (Owners - 1))].Rent(1 << StripeBits);
        }

        Assert.That(FlagsOf(row: Rows + StripesAlone - 1), Does.Contain("hg"), "the others have come");
        frames[0].ReturnRun(alone[^1], 1 << StripeBits);
        Assert.That(FlagsOf(row: Rows + StripesAlone - 1), Does.Contain("nh"), "it was given back");
        Assert.That(frames[0].Rent(1 << StripeBits), Is.EqualTo(alone[^1]));
        Assert.That(FlagsOf(row: Rows + StripesAlone - 1), Does.Contain("hg"));

        string[] FlagsOf(int row) => FlagsAt(region.Of(0).At(row));
    }

    /// <summary>The flags of the mapping that an address lies in.</summary>
    private static unsafe string[] FlagsAt(byte* address)
    {
        var isInside = false;
        foreach (var line in File.ReadLines("/proc/self/smaps"))
        {
            var words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            if (words[0] == "VmFlags:" && isInside)
            {
                return words[1..];
            }

            var bounds = words[0].Split('-');
            isInside = bounds.Length == 2
                ? (ulong)address >= ulong.Parse(bounds[0], NumberStyles.HexNumber, CultureInfo.InvariantCulture)
                    && (ulong)address < ulong.Parse(bounds[1], NumberStyles.HexNumber, CultureInfo.InvariantCulture)
                : isInside;
        }

        throw new InvalidOperationException("no mapping has the address");
    }
}
