using NUnit.Framework;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Tests.Storage.Log;

[TestFixture]
internal sealed class LogSegmentsTests
{
    private const int SegmentBits = 14;
    private const int PageBytes = 1 << (SegmentBits - 2);

    private readonly PageInfo[] _pages = new PageInfo[16];

    [Test]
    public void The_next_segment_is_named_once_when_half_of_the_open_one_is_used()
    {
        using var quiescence = new Quiescence(1);
        var segments = new LogSegments(shard: 1, shards: 4, SegmentBits, quiescence);
        Assert.That(segments.TryNameNext(out var first), "there is none that is open");
        Assert.That(segments.TryNameNext(out _), Is.False);

        Assert.That(SegmentOf(segments, 1), Is.EqualTo(first));
        Assert.That(segments.TryNameNext(out _), Is.False);
        Assert.That(SegmentOf(segments, 2), Is.EqualTo(first));
        Assert.That(segments.TryNameNext(out var second), "half of it is used");
        Assert.That(second, Is.Not.EqualTo(first));

        Assert.That(SegmentOf(segments, 3), Is.EqualTo(first));
        Assert.That(SegmentOf(segments, 4), Is.EqualTo(first));
        Assert.That(SegmentOf(segments, 5), Is.EqualTo(second));
    }

    [Test]
    public void A_segment_that_is_named_and_not_open_yet_is_not_compacted()
    {
        using var quiescence = new Quiescence(1);
        var segments = new LogSegments(shard: 0, shards: 1, SegmentBits, quiescence);
        for (var page = 1; page <= _pages.Length; page++)
        {
            _ = segments.Allocate(new PageInfo[page + 1], page, 1 << SegmentBits);
        }

        Assert.That(segments.TryNameNext(out _), "all are full");
        Assert.That(segments.Worst(percent: 1), Is.Not.Null, "of the others nothing is live");
    }

    /// <summary>Puts a page into the segments.</summary>
    /// <returns>The number of its segment on the device.</returns>
    private long SegmentOf(LogSegments segments, int page)
        => segments.DeviceOffset(segments.Allocate(_pages, page, PageBytes)) >> SegmentBits;
}
