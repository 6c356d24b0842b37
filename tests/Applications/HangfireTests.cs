using System.Globalization;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Applications;

/// <summary>
/// Hangfire with its Redis storage: one instance of a site hands jobs over, another one works them off.
/// </summary>
[TestFixtureSource(typeof(ServersToTry), nameof(ServersToTry.Kinds))]
internal sealed class HangfireTests(ServerKind kind) : ApplicationFixture(kind)
{
    private const int HangMs = 120_000;

    private WebInstance _shop = null!;
    private WebInstance _worker = null!;

    [SetUp]
    public void StartShops()
    {
        _shop = WebInstance.Start(Server, WebInstance.Net10);
        _worker = WebInstance.Start(Server, WebInstance.Net10, "--worker", "true");
    }

    [TearDown]
    public void StopShops()
    {
        _shop?.Dispose();
        _worker?.Dispose();
    }

    [Test]
    public async Task Jobs_are_worked_off_once_each()
    {
        var jobs = await Task.WhenAll(Enumerable.Range(0, 30).Select(i => PostAsync($"/jobs/{i}")));
        var continued = await PostAsync($"/jobs/continued/after/{jobs[0]}");
        var retried = await PostAsync("/jobs/retried/retried");
        var scheduled = await PostAsync("/jobs/scheduled/in/300");
        var late = await PostAsync($"/jobs/late/in/{3_600_000}");
        var deleted = await PostAsync($"/jobs/deleted/in/{3_600_000}");
        await _shop.AskAsync(HttpMethod.Delete, $"/jobs/{deleted}");

        foreach (var job in jobs)
        {
            AwaitHistory(job, "Enqueued,Processing,Succeeded");
        }

        AwaitHistory(continued, "Awaiting,Enqueued,Processing,Succeeded", "Enqueued,Processing,Succeeded");
        AwaitHistory(scheduled, "Scheduled,Enqueued,Processing,Succeeded");
        AwaitHistory(
            retried, "Enqueued,Processing,Failed,Scheduled,Enqueued,Processing,Succeeded",
            "Enqueued,Processing,Scheduled,Enqueued,Processing,Succeeded");
        AwaitHistory(late, "Scheduled");
        AwaitHistory(deleted, "Scheduled,Deleted");
        var orders = Enumerable.Range(0, 30).Select(i => $"{i}").Concat(["continued", "retried", "scheduled"]);
        Assert.That(orders.Select(Shipped), Is.All.EqualTo(1));
        Assert.That(Shipped("late") + Shipped("deleted"), Is.Zero);
    }

    [Test]
    public async Task A_recurring_job_runs_again_and_again()
    {
        await _shop.AskAsync(HttpMethod.Put, "/recurring/daily?cron=* * * * * *"); // with seconds: every one of them

        Assert.That(() => Shipped("daily"), Is.GreaterThan(1).After(HangMs, pollingInterval: 50));

        await _shop.AskAsync(HttpMethod.Delete, "/recurring/daily");
        Assert.That(await _shop.AskAsync(HttpMethod.Get, "/jobs/statistics"), Does.Contain("\"recurring\":0"));
    }

    [Test]
    public async Task Jobs_that_exclude_each_other_do_not_overlap()
    {
        var jobs = await Task.WhenAll(Enumerable.Range(0, 5).Select(_ => PostAsync("/jobs/heavy/alone")));

        Assert.That(() => Shipped("heavy"), Is.EqualTo(jobs.Length).After(HangMs, pollingInterval: 50));
        Assert.That(Call("EXISTS", "overlaps:heavy").Integer, Is.Zero);
    }

    private Task<string> PostAsync(string path) => _shop.AskAsync(HttpMethod.Post, path);

    private long Shipped(string order)
    {
        var count = Call("GET", $"shipped:{order}");
        return count.IsNull ? 0 : long.Parse(count.Text, CultureInfo.InvariantCulture);
    }

    private void AwaitHistory(string job, params string[] histories) =>
        Assert.That(
            () => _shop.AskAsync(HttpMethod.Get, $"/jobs/{job}/history"),
            Is.AnyOf(histories).After(HangMs, pollingInterval: 50), job);
}
