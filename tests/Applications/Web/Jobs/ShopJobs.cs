using Hangfire;
using Hangfire.Redis.StackExchange;
using StackExchange.Redis;

namespace Strata.Tests.Applications.Web.Jobs;

/// <summary>Background jobs of the shop. Each counts its executions in the server, at "shipped:ORDER".</summary>
public sealed class ShopJobs(IConnectionMultiplexer redis)
{
    /// <summary>Adds Hangfire with its Redis storage, and on a worker what works the jobs off.</summary>
    public static void AddTo(IServiceCollection services, ConnectionMultiplexer redis, bool isWorker)
    {
        services.AddHangfire(configuration => configuration.UseRedisStorage(
            redis, new RedisStorageOptions { Prefix = "jobs:", FetchTimeout = TimeSpan.FromSeconds(1) }));
        if (isWorker)
        {
            services.AddHangfireServer(options =>
            {
                options.WorkerCount = 2;
                options.SchedulePollingInterval = TimeSpan.FromMilliseconds(500);
                options.ShutdownTimeout = TimeSpan.FromSeconds(5);
            });
        }
    }

    public Task ShipAsync(string order) => redis.GetDatabase().StringIncrementAsync($"shipped:{order}");

    /// <summary>Fails the first time and ships the second.</summary>
    [AutomaticRetry(Attempts = 2, DelaysInSeconds = [1])]
    public async Task ShipAtSecondTryAsync(string order)
    {
        if (await redis.GetDatabase().StringIncrementAsync($"tries:{order}") == 1)
        {
            throw new InvalidOperationException("out of stock");
        }

        await ShipAsync(order);
    }

    /// <summary>Never two at a time: "overlaps:ORDER" counts how often one began beside another.</summary>
    [DisableConcurrentExecution(300)]
    public async Task ShipAloneAsync(string order)
    {
        var database = redis.GetDatabase();
        if (!await database.StringSetAsync($"busy:{order}", 1, when: When.NotExists))
        {
            await database.StringIncrementAsync($"overlaps:{order}");
        }

        await ShipAsync(order);
        await database.KeyDeleteAsync($"busy:{order}");
    }
}
