using Microsoft.Extensions.DependencyInjection;
using NUnit.Framework;
using Strata.Server.Hosting;
using Strata.Server.Lifecycle;
using Strata.Server.Options;
using Strata.Server.Options.Keys;
using Strata.Storage.Memory;

namespace Strata.Tests.Server.Hosting;

/// <summary>The host around an engine of the test's. It changes this process's folder and signal handlers.</summary>
[NonParallelizable]
public sealed class ServerHostTests
{
    [Test]
    public void Ends_with_the_first_failure_of_the_engine()
    {
        var engine = new Engine(shutdown =>
        {
            shutdown.Fail(ExitCode.Internal, "worker 1 is gone");
            shutdown.Fail(ExitCode.Resources, "and then this");
        });
        Assert.That(Run(engine), Is.EqualTo(ExitCode.Internal));
        Assert.That(engine.Steps, Is.EqualTo(new[] { "start", "stop", "dispose" }));
    }

    [Test]
    public void Ends_well_when_the_engine_asks_for_it()
    {
        Assert.That(Run(new Engine(shutdown => shutdown.Request())), Is.EqualTo(ExitCode.Ok));
    }

    [Test]
    public void Ends_with_the_code_of_a_failed_start()
    {
        var engine = new Engine(_ => throw new StartupException(ExitCode.Listen, "no port"));
        Assert.That(Run(engine), Is.EqualTo(ExitCode.Listen));
        Assert.That(Run(new Engine(_ => throw new MemoryExhaustedException())), Is.EqualTo(ExitCode.Resources));
    }

    [Test]
    public void Refuses_more_clients_than_there_can_be_descriptors()
    {
        var error = "";
        var engine = new Engine(shutdown => shutdown.Request())
        {
            OnStart = store => _ = store.TrySet([new(ClientKeys.MaxClients.Name, "4000000000")], false, out error),
        };
        Assert.That(Run(engine), Is.EqualTo(ExitCode.Ok));
        Assert.That(error, Does.Match(
            "^CONFIG SET failed \\(possibly related to argument 'maxclients'\\) - The operating system is not able to "
            + "handle the specified number of clients, try with \\d+$"));
    }

    private static ExitCode Run(Engine engine) => ServerHost.Run([], services =>
    {
        engine.Shutdown = services.GetRequiredService<ServerShutdown>();
        engine.Store = services.GetRequiredService<ConfigurationStore>();
        return engine;
    });

    private sealed class Engine(Action<ServerShutdown> start) : IServerEngine, IDisposable
    {
        public List<string> Steps { get; } = [];

        public ServerShutdown? Shutdown { get; set; }

        public ConfigurationStore? Store { get; set; }

        public Action<ConfigurationStore> OnStart { get; init; } = _ => { };

        public void Start()
        {
            Steps.Add("start");
            OnStart(Store!);
            start(Shutdown!);
        }

        public void Stop(TimeSpan timeout) => Steps.Add("stop");

        public MemoryBudget Memory { get; } = new();

        public IServerObserver Observer => throw new NotSupportedException();

        public Task TurnAsync() => Task.CompletedTask;

        public void Dispose() => Steps.Add("dispose");
    }
}
