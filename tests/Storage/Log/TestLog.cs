using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Tests.Storage.Index;

namespace Strata.Tests.Storage.Log;

/// <summary>A log that stays in memory, of one shard and two workers, with all that it needs.</summary>
internal sealed class TestLog : IDisposable
{
    private const long ReserveBytes = 8L << 30;

    private readonly StripedRegion _region;

    public TestLog(int pageBits)
    {
        _region = new StripedRegion(ReserveBytes, owners: 1, pageBits);
        Log = new RecordLog(Budget, Quiescence, _region.Of(0));
    }

    public MemoryBudget Budget { get; } = new();

    public Quiescence Quiescence { get; } = new(workers: 2);

    public NativeKeys Keys { get; } = new();

    public RecordLog Log { get; }

    public void Dispose()
    {
        Log.Dispose();
        _region.Dispose();
        Quiescence.Dispose();
        Keys.Dispose();
    }
}
