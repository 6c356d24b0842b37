using NUnit.Framework;

namespace Strata.Tests.Server.Execution;

/// <summary>Replies that are longer than a worker's buffer may become, which is made small for it: whoever asked for
/// them goes, and nothing of it meets the worker's other clients.</summary>
[TestFixture]
internal sealed class ReplyRoomTests
{
    private const int MostBytes = 80 << 10;

    private static readonly string s_large = new('x', MostBytes * 3 / 4);

    [Test]
    public void A_transaction_without_room_for_all_its_errors_leaves_nothing_behind([Values(1, 2)] int workers)
    {
        const int Gets = 3_000; // Of 40 bytes of error and more: together more than is kept for errors.
        using var server = NewServer(workers);
        var client = server.Connect();
        client.Expect([$"SET large {s_large}", "SET small y"], "+OK", "+OK");
        var replies = client.Call(["MULTI", "INCR count", .. Enumerable.Repeat("GET large", Gets), "EXEC"]);
        Assert.That(replies[^1], Does.StartWith("-OOM"));
        client.Expect(["EXEC", "GET count"], "-ERR EXEC without MULTI", "$1");

        for (var i = 0; i < 2 * workers; i++)
        {
            var other = server.Connect();
            other.Expect(["MULTI", "GET small", "GET none", "EXEC"], "+OK", "+QUEUED", "+QUEUED", "[$y nil]");
            other.Expect([.. Enumerable.Repeat("GET small", 100)], [.. Enumerable.Repeat("$y", 100)]);
        }
    }

    [Test]
    public void A_run_that_waited_and_finds_no_room_leaves_nothing_behind()
    {
        using var server = NewServer(workers: 2);
        var clients = Enumerable.Range(0, 4).Select(_ => server.Connect()).ToList();
        var shard = server.ShardOf("large");
        clients[0].Expect([$"SET large {s_large}", "SET small y"], "+OK", "+OK");
        Assert.That(shard.Lease.TryAcquire());
        clients[0].Send([.. Enumerable.Repeat("GET large", 60)]);
        server.Settle();
        shard.Lease.Release();
        server.Settle();
        _ = clients[0].Replies();
        Assert.That(clients[0].IsClosed);

        foreach (var client in clients.Skip(1))
        {
            for (var i = 0; i < 3; i++)
            {
                client.Expect([.. Enumerable.Repeat("GET small", 60)], [.. Enumerable.Repeat("$y", 60)]);
            }
        }
    }

    private static TurnServer NewServer(int workers)
    {
        var server = new TurnServer(workers);
        foreach (var worker in server.Server.Workers)
        {
            worker.Reply.MostBytes = MostBytes;
        }

        return server;
    }
}
