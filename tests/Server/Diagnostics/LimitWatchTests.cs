using NUnit.Framework;
using Strata.Server.Diagnostics;
using Strata.Storage.Memory;

namespace Strata.Tests.Server.Diagnostics;

internal sealed class LimitWatchTests
{
    [Test]
    public void Time_over_the_limit_is_added_up_and_that_of_now_begins_anew()
    {
        var budget = new MemoryBudget { LimitBytes = 100 };
        var watch = new LimitWatch();
        watch.Tick(budget, 1_000);
        budget.Charge(150);
        watch.Tick(budget, 1_100);
        Assert.That((watch.TotalMs, watch.CurrentMs), Is.EqualTo((0L, 0L)), "since when is not known before");
        watch.Tick(budget, 1_300);
        watch.Tick(budget, 1_400);
        Assert.That((watch.TotalMs, watch.CurrentMs), Is.EqualTo((300L, 300L)));
        budget.LimitBytes = 0;
        watch.Tick(budget, 1_500);
        Assert.That((watch.TotalMs, watch.CurrentMs), Is.EqualTo((300L, 0L)));
        budget.LimitBytes = 120;
        watch.Tick(budget, 2_000);
        watch.Tick(budget, 2_050);
        Assert.That((watch.TotalMs, watch.CurrentMs), Is.EqualTo((350L, 50L)));
    }
}
