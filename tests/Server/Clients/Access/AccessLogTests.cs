using NUnit.Framework;
using Strata.Server;
using Strata.Server.Clients.Access;
using Strata.Storage.Memory;

namespace Strata.Tests.Server.Clients.Access;

[TestFixture]
internal sealed class AccessLogTests
{
    private const int Entries = 10_000;

    [Test]
    public void Takes_a_part_of_the_memory_limit_however_long_it_may_be()
    {
        var budget = new MemoryBudget { LimitBytes = 1 << 20 };
        var log = new AccessLog(budget);
        for (var i = 0; i < Entries; i++)
        {
            log.Add(Entry($"user-{i}"), Entries);
        }

        Assert.That(log.ChargedBytes, Is.AtMost(budget.LimitBytes / ServerLimits.AccessLogShare));
        Assert.That(log.Newest(1).Single().UserName, Is.EqualTo($"user-{Entries - 1}"));
        log.Reset();
        Assert.That(budget.UsedBytes, Is.Zero);
    }

    [Test]
    public void Keeps_some_entries_where_the_limit_is_very_small()
    {
        var log = new AccessLog(new MemoryBudget { LimitBytes = 1 });
        for (var i = 0; i < Entries; i++)
        {
            log.Add(Entry($"user-{i}"), Entries);
        }

        Assert.That(log.Newest(Entries), Has.Count.EqualTo(ServerLimits.FreeAccessLogEntries));
    }

    private static AccessLogEntry Entry(string user)
        => new(DenialReason.Authentication, AccessContext.TopLevel, "auth"u8.ToArray(), user, "id=1", 0);
}
