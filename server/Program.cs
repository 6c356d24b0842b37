using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Strata.Server;
using Strata.Server.Hosting;
using Strata.Server.Lifecycle;
using Strata.Server.Options;

return (int)ServerHost.Run(args, static services =>
{
    PoolThreads.Start();
    return StrataServer.Create(
        services.GetRequiredService<ConfigurationStore>(), services.GetRequiredService<ServerShutdown>(),
        services.GetRequiredService<ILogger<StrataServer>>());
});
