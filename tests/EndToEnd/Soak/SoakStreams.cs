using System.Collections.Concurrent;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Soak;

/// <summary>Streams between clients that add jobs to them and consumers of a group that wait for some: each job is
/// given once, and when it is acknowledged to nobody any more.</summary>
/// <param name="keepsAll">Whether nothing is evicted, so that all jobs must be given.</param>
internal sealed class SoakStreams(bool keepsAll)
{
    private const int Streams = 3;
    private const int MostWaiting = 2_000;
    private const int JobsAtOnce = 5;
    private const string Group = "workers";

    // How long a job may be a consumer's who has forgotten it.
    private const string IdleMs = "30";

    // By their jobs, which are no other entry's, whatever is evicted.
    private readonly ConcurrentDictionary<string, bool> _given = new();
    private readonly ConcurrentDictionary<string, long> _acknowledged = new();
    private long _produced;
    private long _steps;

    /// <summary>Makes the streams.</summary>
    public static void Begin(RespConnection connection)
    {
        foreach (var stream in Enumerable.Range(0, Streams).Select(Name))
        {
            Assert.That(connection.Call("XGROUP", "CREATE", stream, Group, "0", "MKSTREAM").Text, Is.EqualTo("OK"));
        }
    }

    /// <summary>Adds jobs, unless many wait.</summary>
    public void Produce(RespConnection connection, Random random)
    {
        var stream = Name(random.Next(Streams));
        if (connection.Call("XLEN", stream).Integer > MostWaiting)
        {
            Thread.Sleep(1);
            return;
        }

        SoakTraffic.Execute(connection, [.. Enumerable.Range(0, 1 + random.Next(JobsAtOnce)).Select(_ => SoakCommand.Of(
            "XADD", stream, "*", "job", SoakTraffic.Text(Interlocked.Increment(ref _produced)),
            "filler", new string('.', random.Next(100))))]);
    }

    /// <summary>Takes jobs, or waits a moment; or takes over what others have forgotten.</summary>
    public void Consume(RespConnection connection, Random random)
    {
        var consumer = $"{connection.Socket.LocalEndPoint}";
        if (random.Next(6) == 0)
        {
            var (stream, before) = (Name(random.Next(Streams)), Interlocked.Increment(ref _steps));
            var claimed = connection.Call("XAUTOCLAIM", stream, Group, consumer, IdleMs, "0", "COUNT", "20");
            if (IsThere(connection, stream, claimed))
            {
                var jobs = Jobs(claimed.Items[1]);
                Assert.That(
                    jobs.Where(job => _acknowledged.TryGetValue(job.Name, out var step) && step < before), Is.Empty,
                    "jobs that were acknowledged come again");
                End(connection, stream, jobs, mayBeOthers: true);
            }

            return;
        }

        Take(connection, consumer, Name(random.Next(Streams)), Name(random.Next(Streams)), random.Next(8) == 0);
    }

    /// <summary>Takes what is left. Nobody else does anything.</summary>
    public void End(RespConnection connection)
    {
        foreach (var stream in Enumerable.Range(0, Streams).Select(Name))
        {
            while (Take(connection, "last", stream, stream, isForgotten: false))
            {
                // There may be more.
            }

            var left = connection.Call("XAUTOCLAIM", stream, Group, "last", "0", "0", "COUNT", "100000");
            if (IsThere(connection, stream, left))
            {
                End(connection, stream, Jobs(left.Items[1]), mayBeOthers: !keepsAll);
            }

            Assert.That(connection.Call("XLEN", stream).Integer, Is.Zero);
        }

        Assert.That(_given, Is.Not.Empty);
        if (keepsAll)
        {
            Assert.That(
                Enumerable.Range(0, Streams).Select(i => connection.Call("XPENDING", Name(i), Group).Items[0].Integer),
                Is.All.Zero);
            Assert.That(_given, Has.Count.EqualTo(_produced), "jobs that were given");
            Assert.That(_acknowledged, Has.Count.EqualTo(_produced), "jobs that were acknowledged");
        }
    }

    private static string Name(int number) => $"jobs:{number}";

    /// <returns>Whether there were any.</returns>
    private bool Take(RespConnection connection, string consumer, string first, string second, bool isForgotten)
    {
        string[] streams = first == second ? [first] : [first, second];
        var reply = connection.Call(
            ["XREADGROUP", "GROUP", Group, consumer, "COUNT", SoakTraffic.Text(JobsAtOnce), "BLOCK", "20", "STREAMS",
            .. streams, .. streams.Select(_ => ">")]);
        if (reply.IsNull || !streams.All(stream => IsThere(connection, stream, reply)))
        {
            return false;
        }

        foreach (var part in reply.Items)
        {
            var jobs = Jobs(part.Items[1]);
            Assert.That(jobs.Where(job => !_given.TryAdd(job.Name, true)), Is.Empty, "jobs that were given before");
            if (!isForgotten)
            {
                End(connection, part.Items[0].Text, jobs, mayBeOthers: true);
            }
        }

        return true;
    }

    /// <summary>Acknowledges jobs and deletes them.</summary>
    private void End(RespConnection connection, string stream, List<(string Id, string Name)> jobs, bool mayBeOthers)
    {
        if (jobs.Count == 0)
        {
            return;
        }

        var ids = jobs.ConvertAll(job => job.Id);
        var acknowledged = connection.Call(["XACK", stream, Group, .. ids]).Integer;
        Assert.That(acknowledged, mayBeOthers ? Is.LessThanOrEqualTo(ids.Count) : Is.EqualTo(ids.Count));
        _ = connection.Call(["XDEL", stream, .. ids]);
        jobs.ForEach(job => _acknowledged.TryAdd(job.Name, Interlocked.Increment(ref _steps)));
    }

    /// <summary>Whether a reply is no error, which is that of a stream that was evicted; then it is made again.
    /// </summary>
    private bool IsThere(RespConnection connection, string stream, RespValue reply)
    {
        if (!reply.IsError)
        {
            return true;
        }

        Assert.That(!keepsAll && reply.Text.StartsWith("NOGROUP ", StringComparison.Ordinal), $"{reply}");
        _ = connection.Call("XGROUP", "CREATE", stream, Group, "0", "MKSTREAM"); // Another may have been faster.
        return false;
    }

    private static List<(string Id, string Name)> Jobs(RespValue entries)
        => [.. entries.Items.Select(entry => (entry.Items[0].Text, entry.Items[1].Items[1].Text))];
}
