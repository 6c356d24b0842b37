using System.Diagnostics;
using System.Globalization;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>Many clients that wait in blocking commands: they cost no thread and no CPU, keep their order, and leave
/// nothing behind. It measures CPU time, and takes half of the files that a process usually may open.</summary>
[Category(TestCategories.Long)]
[NonParallelizable]
public sealed class ManyBlockedClientsTests
{
    private const int Clients = 10_000;
    private const int FilesOfItsOwn = 1_000;
    private const int InKnownOrder = 50;
    private const int MeasuredMs = 2_500;
    private const int MostMeasurements = 20;
    private const double MostCores = 0.03;

    private readonly List<RespConnection> _clients = new(Clients);

    [TearDown]
    public void Close() => _clients.ForEach(client => client.Dispose());

    [Test]
    public void Ten_thousand_blocked_clients_cost_no_thread_and_no_cpu()
    {
        var limit = Posix.MaxOpenFiles();
        if (limit < Clients + FilesOfItsOwn)
        {
            Assert.Ignore($"Too few open files are allowed for {Clients} clients: ulimit -Hn says {limit}.");
        }

        using var server = ServerProcess.Start(ServerKind.Strata, "--maxclients", "11000", "--workers", "2");
        using var other = server.Connect();
        for (var i = 0; i < Clients; i++)
        {
            _clients.Add(server.Connect());
            _ = _clients[i].Call("PING");
        }

        var threads = Threads(server);
        BlockAll(other);
        Assert.That(LeastCpuMs(server), Is.LessThan(MeasuredMs * MostCores), "milliseconds of CPU time");
        Assert.That(() => Threads(server), Is.LessThanOrEqualTo(threads).After(Patience.Ms, 20), "threads");

        for (var i = 0; i < InKnownOrder; i++)
        {
            _ = other.Call("RPUSH", "queue", i.ToString(CultureInfo.InvariantCulture));
            Assert.That(_clients[i].ReadReply().Items[1].Integer, Is.EqualTo(i));
        }

        WaitFor(other, "blocked_clients", Clients - InKnownOrder);
        Close();
        foreach (var field in (string[])["blocked_clients", "clients_in_timeout_table", "total_blocking_keys"])
        {
            WaitFor(other, field, 0);
        }

        WaitFor(other, "connected_clients", 1);
        Assert.That(other.Call("CLIENT", "LIST").Text.Trim().Split('\n'), Has.Length.EqualTo(1));
        Assert.That(other.Call("RPUSH", "queue", "for nobody").Integer, Is.EqualTo(1));
        Assert.That(other.Call("LLEN", "queue").Integer, Is.EqualTo(1));
    }

    /// <summary>The first ones one after the other, so that their order is known; every second one with a deadline.
    /// </summary>
    private void BlockAll(RespConnection other)
    {
        for (var i = 0; i < Clients; i++)
        {
            _clients[i].Send("BLPOP", "queue", $"another:{i % 100}", i % 2 == 0 ? "0" : "10000");
            if (i < InKnownOrder)
            {
                WaitFor(other, "blocked_clients", i + 1);
            }
        }

        WaitFor(other, "blocked_clients", Clients);
    }

    private static void WaitFor(RespConnection connection, string field, long value)
        => ServerInfo.WaitFor(connection, "clients", field, value);

    private static int Threads(ServerProcess server) => Directory.GetDirectories($"/proc/{server.Pid}/task").Length;

    /// <summary>The CPU time that the server takes while nobody talks to it: what it comes down to, for after a rush of
    /// commands .NET goes on compiling what was called often, on a busy machine for long. What waiting clients cost
    /// would be in each measurement.</summary>
    private static double LeastCpuMs(ServerProcess server)
    {
        using var process = Process.GetProcessById(server.Pid);
        var least = double.MaxValue;
        for (var i = 0; i < MostMeasurements && least >= MeasuredMs * MostCores; i++)
        {
            process.Refresh();
            var before = process.TotalProcessorTime;
            Thread.Sleep(MeasuredMs);
            process.Refresh();
            least = Math.Min(least, (process.TotalProcessorTime - before).TotalMilliseconds);
        }

        return least;
    }
}
