using Microsoft.Extensions.Logging;
using Strata.Server;
using Strata.Server.Options;

// The host takes this place.
using var factory = LoggerFactory.Create(static builder => builder.AddSimpleConsole());
using var server = new StrataServer(new ConfigurationStore(ServerOptions.Defaults, null), factory.CreateLogger<StrataServer>());
server.Start();
Thread.Sleep(Timeout.Infinite);
