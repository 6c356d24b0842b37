using Microsoft.AspNetCore.DataProtection;
using StackExchange.Redis;
using Strata.Tests.Applications.Web;
using Strata.Tests.Applications.Web.Caching;
#if NET10_0_OR_GREATER
using Strata.Tests.Applications.Web.Chat;
using Strata.Tests.Applications.Web.Jobs;
#endif

// A web shop as applications are written, for the tests to use from outside; several may run side by side.
// Flags: --redis HOST:PORT, --keys FOLDER (what cookies are encrypted with; without it the server keeps that, from
// ASP.NET Core 10 on), --worker true (works off background jobs).
var builder = WebApplication.CreateBuilder(args);
var settings = ShopSettings.From(builder.Configuration);
var redis = await ConnectionMultiplexer.ConnectAsync(settings.Redis);
builder.Services.AddSingleton<IConnectionMultiplexer>(redis);
builder.Logging.SetMinimumLevel(LogLevel.Warning).AddFilter("Microsoft.Hosting.Lifetime", LogLevel.Information);

var protection = builder.Services.AddDataProtection().SetApplicationName("shop");
builder.Services.AddStackExchangeRedisCache(options =>
{
    options.Configuration = settings.Redis;
    options.InstanceName = "shop:";
});
builder.Services.AddSession(options => options.IdleTimeout = TimeSpan.FromHours(1));
if (settings.KeysFolder is { } folder)
{
    protection.PersistKeysToFileSystem(new DirectoryInfo(folder));
}

#if NET10_0_OR_GREATER
if (settings.KeysFolder is null)
{
    protection.PersistKeysToStackExchangeRedis(redis, "keys-of-cookies");
}

builder.Services.AddSignalR().AddStackExchangeRedis(settings.Redis);
ShopJobs.AddTo(builder.Services, redis, settings.IsWorker);
#endif

var app = builder.Build();
app.UseSession();
CacheEndpoints.Map(app);
SessionEndpoints.Map(app);
#if NET10_0_OR_GREATER
ChatEndpoints.Map(app);
JobEndpoints.Map(app);
#endif
await app.RunAsync();
