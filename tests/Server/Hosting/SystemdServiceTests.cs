using System.Collections.Concurrent;
using Microsoft.Extensions.Hosting.Systemd;
using Microsoft.Extensions.Logging.Abstractions;
using NUnit.Framework;
using Strata.Server.Hosting;
using Strata.Server.Lifecycle;
using Strata.Storage.Memory;
using Strata.Tests.Server.Execution;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Hosting;

/// <summary>The watchdog is told that the server is alive as long as every worker is.</summary>
public sealed class SystemdServiceTests
{
    [Test]
    public async Task A_stuck_worker_lets_the_watchdog_wait()
    {
        var engine = new Engine();
        var notifier = new Notifier();
        using var service = new SystemdService(notifier, engine, NullLogger<SystemdService>.Instance);
        await service.StartAsync(TimeSpan.FromMilliseconds(1));
        Assert.That(notifier.Take(), Does.StartWith("READY=1\n"));

        for (var turn = 0; turn < 3; turn++)
        {
            var asked = engine.TakeAsked();
            Assert.That(notifier.IsEmpty, "nothing is told before the workers have made their turns");
            asked.SetResult();
            Assert.That(notifier.Take(), Is.EqualTo("WATCHDOG=1"));
        }

        _ = engine.TakeAsked();
        await service.StopAsync(CancellationToken.None);
        Assert.That(notifier.Take(), Does.StartWith("STOPPING=1\n"), "it stops although a worker is stuck");
        Assert.That(notifier.IsEmpty);
    }

    [Test]
    public void The_engine_has_turned_when_every_worker_has()
    {
        using var server = new TurnServer(workers: 3);
        server.Settle();
        var turned = server.Server.TurnAsync();
        server.Turn(0);
        server.Turn(2);
        server.Turn(0);
        Assert.That(turned.IsCompleted, Is.False, "one has made no turn");
        server.Turn(1);
        Assert.That(turned.IsCompletedSuccessfully);
    }

    [TestCase("10000000", null, 5000)]
    [TestCase("10000000", "", 5000)]
    [TestCase("3000", null, 1.5)]
    [TestCase("9223372036854775807", null, 43_200_000)]
    [TestCase("10000000", "1", null)]
    [TestCase(null, null, null)]
    [TestCase("", null, null)]
    public void It_is_told_twice_in_the_time_that_systemd_gives(string? timeout, string? process, double? milliseconds)
    {
        Assert.That(
            SystemdWatchdog.Interval(timeout, process, out var warning)?.TotalMilliseconds, Is.EqualTo(milliseconds));
        Assert.That(warning, Is.Null);
        Assert.That(SystemdWatchdog.Interval("10000000", $"{Environment.ProcessId}", out _), Is.Not.Null);
    }

    [TestCase("0")]
    [TestCase("1999")]
    [TestCase("-1")]
    [TestCase("10s")]
    [TestCase("9223372036854775808")]
    public void A_time_that_is_none_is_a_warning(string timeout)
    {
        Assert.That(SystemdWatchdog.Interval(timeout, null, out var warning), Is.Null);
        Assert.That(warning, Does.StartWith($"WATCHDOG_USEC is {timeout}, which is no time from 2000 microseconds on"));
    }

    private sealed class Notifier : ISystemdNotifier
    {
        private readonly BlockingCollection<string> _states = [];

        public bool IsEnabled => true;

        public bool IsEmpty => _states.Count == 0;

        public void Notify(ServiceState state) => _states.Add(state.ToString());

        public string Take() => _states.TryTake(out var state, Patience.Ms) ? state : "nothing";
    }

    private sealed class Engine : IServerEngine
    {
        private readonly BlockingCollection<TaskCompletionSource> _asked = [];

        public MemoryBudget Memory => throw new NotSupportedException();

        public IServerObserver Observer => throw new NotSupportedException();

        public void Start() => throw new NotSupportedException();

        public void Stop(TimeSpan timeout) => throw new NotSupportedException();

        public Task TurnAsync()
        {
            var turned = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            _asked.Add(turned);
            return turned.Task;
        }

        public TaskCompletionSource TakeAsked()
            => _asked.TryTake(out var asked, Patience.Ms) ? asked : throw new TimeoutException("It is not asked");
    }
}
