using Hangfire;

namespace Strata.Tests.Applications.Web.Jobs;

/// <summary>Handing jobs over and looking at them: every reply that names a job is its id.</summary>
internal static class JobEndpoints
{
    public static void Map(IEndpointRouteBuilder routes)
    {
        routes.MapPost("/jobs/{order}", (string order, IBackgroundJobClient client) =>
            client.Enqueue<ShopJobs>(jobs => jobs.ShipAsync(order)));
        routes.MapPost("/jobs/{order}/retried", (string order, IBackgroundJobClient client) =>
            client.Enqueue<ShopJobs>(jobs => jobs.ShipAtSecondTryAsync(order)));
        routes.MapPost("/jobs/{order}/alone", (string order, IBackgroundJobClient client) =>
            client.Enqueue<ShopJobs>(jobs => jobs.ShipAloneAsync(order)));
        routes.MapPost("/jobs/{order}/after/{job}", (string order, string job, IBackgroundJobClient client) =>
            client.ContinueJobWith<ShopJobs>(job, jobs => jobs.ShipAsync(order)));
        routes.MapPost("/jobs/{order}/in/{delayMs}", (string order, long delayMs, IBackgroundJobClient client) =>
            client.Schedule<ShopJobs>(jobs => jobs.ShipAsync(order), TimeSpan.FromMilliseconds(delayMs)));
        routes.MapPut("/recurring/{order}", (string order, string cron, IRecurringJobManager recurring) =>
            recurring.AddOrUpdate<ShopJobs>(order, jobs => jobs.ShipAsync(order), cron));
        routes.MapDelete("/recurring/{order}", (string order, IRecurringJobManager recurring) =>
            recurring.RemoveIfExists(order));
        routes.MapDelete("/jobs/{job}", (string job, IBackgroundJobClient client) => client.Delete(job));
        routes.MapGet("/jobs/{job}/history", History);
        routes.MapGet("/jobs/statistics", (JobStorage storage) => storage.GetMonitoringApi().GetStatistics());
    }

    /// <summary>The names of the states that a job went through, oldest first, with commas between.</summary>
    private static string History(string job, JobStorage storage) =>
        string.Join(',', storage.GetMonitoringApi().JobDetails(job).History.Select(state => state.StateName).Reverse());
}
