using Strata.Storage.Sharding;

namespace Strata.Server.Commands.Server;

/// <summary>A shard's lease for a handler that only learns from its arguments which one it needs. For DEBUG alone: it
/// waits for the lease, which others leave in a queue.</summary>
internal static class ExclusiveAccess
{
    public static void Run(Shard shard, Action action)
    {
        while (!shard.Lease.TryAcquireSpinning())
        {
            Thread.Yield();
        }

        try
        {
            action();
        }
        finally
        {
            shard.Lease.Release(shard);
        }
    }
}
