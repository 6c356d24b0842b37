using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>What the runtime holds of answers that are made of texts is part of the memory that a limit allows for.
/// </summary>
[TestFixture]
public sealed class ManagedMemoryTests
{
    private const int Answers = 4000;
    private const long LimitBytes = 64 << 20;
    private const long SlackBytes = 32 << 20;

    /// <summary>However large the machine's caches, by which the runtime measures what may lie about.</summary>
    [Test]
    public void What_was_answered_does_not_stay()
    {
        using var server = StrataProcess.Start("--maxmemory", "64mb", "--workers", "1");
        using var connection = server.Connect();
        _ = connection.Call("INFO", "everything");
        var idle = server.ResidentBytes();
        for (var i = 0; i < Answers; i++)
        {
            Assert.That(connection.Call("INFO", "everything").IsError, Is.False);
        }

        Assert.That(server.ResidentBytes() - idle, Is.LessThan(SlackBytes));
    }

    /// <summary>What is given up at once is held until it is collected.</summary>
    [Test]
    public void Scripts_that_are_forgotten_leave_no_memory_beyond_the_limit()
        => AssertHolds(static (server, turn) =>
        {
            using var connection = server.Connect();
            var comment = new string('x', 1000);
            for (var i = 0; !connection.Call("SCRIPT", "LOAD", $"return {turn}{i}--{comment}").IsError; i++)
            {
                // As many as there is memory for.
            }

            Assert.That(connection.Call("SCRIPT", "FLUSH").Text, Is.EqualTo("OK"));
        });

    [Test]
    public void Keys_that_were_waited_for_leave_no_memory_beyond_the_limit()
        => AssertHolds(static (server, turn) =>
        {
            const int Names = 20_000;
            const int Clients = 8;
            var connections = Enumerable.Range(0, Clients).Select(_ => server.Connect()).ToList();
            for (var i = 0; i < Clients; i++)
            {
                var names = Enumerable.Range(0, Names).Select(name => $"name:{turn}:{i}:{name}");
                connections[i].Send(RespCommand.Of(["BLPOP", .. names, "0"]));
            }

            using (var other = server.Connect())
            {
                ServerInfo.WaitFor(other, "clients", "blocked_clients", Clients);
            }

            connections.ForEach(static connection => connection.Dispose());
        });

    private static void AssertHolds(Action<ServerProcess, int> attack)
    {
        const int Turns = 2;
        using var server = StrataProcess.Start("--maxmemory", $"{LimitBytes}", "--workers", "2");
        var idle = server.ResidentBytes();
        var value = new string('v', 10_000);
        var peak = ResidentPeak.Of(server, () =>
        {
            for (var turn = 0; turn < Turns; turn++)
            {
                attack(server, turn);
                using var connection = server.Connect();
                for (var i = 0; !connection.Call("SET", $"key:{i}", value).IsError; i++)
                {
                    // Likewise.
                }

                Assert.That(connection.Call("FLUSHALL").Text, Is.EqualTo("OK"));
            }
        });
        Assert.That((peak - idle) >> 20, Is.LessThan((LimitBytes + (LimitBytes / 8) + SlackBytes) >> 20), "MB");
    }
}
