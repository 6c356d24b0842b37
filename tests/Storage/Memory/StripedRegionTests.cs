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
