using NUnit.Framework;
using Strata.Server;
using Strata.Server.Hosting;

namespace Strata.Tests.Server.Hosting;

internal sealed class PoolThreadsTests
{
    [Test]
    public void All_are_there_when_they_were_started()
    {
        PoolThreads.Start();
        Assert.That(ThreadPool.ThreadCount, Is.GreaterThanOrEqualTo(ServerLimits.PoolThreads));
        ThreadPool.GetMinThreads(out var least, out _);
        Assert.That(least, Is.GreaterThanOrEqualTo(ServerLimits.PoolThreads));
    }
}
