using NUnit.Framework;
using Strata.Bench.Keys;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Records;
using Strata.Storage.Sharding;

namespace Strata.Tests.Storage.Records;

/// <summary>Which queue new keys come to.</summary>
[TestFixture]
internal sealed class RecordPlacementTests
{
    private readonly Quiescence _quiescence = new(1);
    private ShardMap _map = null!;
    private RecordPlacement _placement = null!;

    [SetUp]
    public void Make()
    {
        var settings = new ShardSettings(1, Strata.Storage.Limits.MaxPageBits, IsShared: false);
        _map = new ShardMap(settings, new MemoryBudget { LimitBytes = 1 << 24 }, _quiescence);
        _placement = _map[0].Placement;
        _placement.Wanted = EvictionPolicy.AllKeysLru;
        _placement.Adopt();
    }

    [TearDown]
    public void Close() => _map.Dispose();

    [OneTimeTearDown]
    public void CloseAll() => _quiescence.Dispose();

    /// <summary>Where none is remembered one of 64 is taken for such; where some are, none is.</summary>
    [Test]
    public void Where_none_is_remembered_some_are_taken_for_it()
    {
        _placement.Ghosts.Fit(1000);
        Assert.That(MainOf(0, 640), Is.EqualTo(10));
        for (var round = 1UL; round <= 10; round++)
        {
            var remembered = SplitMix64.Mix(round * 1000);
            _placement.Ghosts.Add(remembered, isProven: false);
            Assert.That(_placement.PlaceNew(remembered, hasExpiry: false, 1), Is.EqualTo(PageKind.Main));
            Assert.That(MainOf((round * 1000) + 1, 60), Is.Zero);
        }
    }

    /// <summary>How many of so many new keys come to the main queue.</summary>
    private int MainOf(ulong first, int count)
        => Enumerable.Range(0, count).Count(i
            => _placement.PlaceNew(SplitMix64.Mix(first + (ulong)i + 1), hasExpiry: false, 1) == PageKind.Main);
}
