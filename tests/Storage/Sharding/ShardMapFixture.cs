using NUnit.Framework;
using Strata.Storage.Memory;
using Strata.Storage.Records;
using Strata.Storage.Sharding;
using Strata.Tests.Storage.Index;

namespace Strata.Tests.Storage.Sharding;

/// <summary>What the fixtures of code that goes round the shards have in common: empty shards for each test, whose
/// memory is all given back at its end.</summary>
internal abstract class ShardMapFixture(ShardSettings settings, int workers, long limitBytes = 0)
{
    protected MemoryBudget Budget { get; } = new();

    protected Quiescence Quiescence { get; private set; } = null!;

    protected ShardMap Shards { get; private set; } = null!;

    protected NativeKeys Keys { get; private set; } = null!;

    [SetUp]
    public void MakeShards()
    {
        Budget.LimitBytes = limitBytes;
        Quiescence = new Quiescence(workers);
        Shards = new ShardMap(settings, Budget, Quiescence);
        Keys = new NativeKeys();
    }

    [TearDown]
    public void FreeShards()
    {
        Shards.Dispose();
        Quiescence.Dispose();
        Keys.Dispose();
        Budget.Buffers.ReleaseIdle();
        Assert.That(Budget.UsedBytes, Is.Zero);
    }
}
