using NUnit.Framework;
using Strata.Server.Persistence;
using Strata.Tests.Server.Execution;

namespace Strata.Tests.Server.Persistence;

/// <summary>The snapshot before the end: what was answered is in it.</summary>
[TestFixture]
internal sealed class LastSnapshotTests : ISnapshotEnd
{
    private const int MostRounds = 100;

    private SnapshotOutcome? _outcome;

    public void OnEnded(SnapshotOutcome outcome) => _outcome = outcome;

    [Test]
    public void One_that_is_given_up_while_a_lease_is_waited_for_reserves_none()
    {
        using var server = new TurnServer(workers: 2, arguments: ["--save", ""]);
        var (client, snapshots, shard) = (server.Connect(), server.Server.Services.Snapshots, server.ShardOf("k"));
        Assert.That(shard.Lease.TryAcquire());
        snapshots.Want(snapshots.ToFile(SnapshotKind.Background));
        server.Settle();
        snapshots.Cancel("nobody wants it any more");
        server.Settle();
        shard.Lease.Release();
        server.Settle();
        client.Expect(["SET k 1", "SET other 2", "MGET k other"], "+OK", "+OK", "[$1 $2]");
    }

    /// <summary>A change that is answered behind the last snapshot would be lost.</summary>
    [Test]
    public void What_is_held_back_until_it_is_done_is_refused([Values(1, 3)] int workers)
    {
        _outcome = null;
        using var server = new TurnServer(workers, arguments: ["--save", ""]);
        TurnClient[] clients = [server.Connect(), server.Connect(), server.Connect()];
        clients[2].Expect(["MULTI", "SET inner 1"], "+OK", "+QUEUED");
        var snapshots = server.Server.Services.Snapshots;
        snapshots.Begun = () =>
        {
            clients[0].SendRaw("SET k 1\r\nGET k\r\n");
            clients[1].SendRaw("MSET k 2 l 3\r\n");
            clients[2].SendRaw("EXEC\r\nGET inner\r\n");
            snapshots.Begun = null;
        };
        snapshots.WantLast(this, isForced: true);
        for (var round = 0; _outcome == null && round < MostRounds; round++)
        {
            server.Settle();
        }

        Assert.That(_outcome?.Error, Is.Null);
        server.Clock.AdvanceMs(1000); // They look again with the next tick.
        server.Settle();
        const string Refusal = "-ERR The server is shutting down";
        Assert.That(clients[0].Replies(), Is.EqualTo((string[])[Refusal, "nil"]));
        Assert.That(clients[1].Replies(), Is.EqualTo((string[])[Refusal]));
        Assert.That(clients[2].Replies()[^1], Is.EqualTo("nil"));
        snapshots.UnlockFile();
    }

    /// <summary>Who meets a taken lease leaves his work there, and whoever has it executes that: here at the moment.
    /// </summary>
    [Test]
    public void What_waits_for_a_lease_at_its_moment_is_in_it()
    {
        _outcome = null;
        var folder = Directory.CreateTempSubdirectory("strata-last-").FullName;
        using (var server = new TurnServer(workers: 3, arguments: ["--dir", folder, "--save", ""]))
        {
            TurnClient[] clients = [server.Connect(), server.Connect(), server.Connect()];
            clients[0].Expect(["SET before 1"], "+OK");
            var snapshots = server.Server.Services.Snapshots;
            var moments = 0;
            snapshots.Begun = () =>
            {
                if (moments++ == 0)
                {
                    clients[1].SendRaw("SET first 1\r\n");
                    clients[2].SendRaw("SET second 1\r\n");
                    server.Turn(1);
                    server.Turn(2);
                }
            };
            snapshots.WantLast(this, isForced: true);
            for (var round = 0; _outcome == null && round < MostRounds; round++)
            {
                server.Settle();
            }

            Assert.That(_outcome?.Error, Is.Null);
            Assert.That(moments, Is.EqualTo(2), "it was saved again");
            var answered = clients.Sum(client => client.Replies().Count(reply => reply == "+OK"));
            Assert.That(answered, Is.Positive, "somebody has slipped through");
            Assert.That(RdbSurvey.Of(Path.Combine(folder, "dump.rdb")).Keys, Is.EqualTo(1 + answered));
            Assert.That(snapshots.Gate, Is.EqualTo(WriteGate.Ended));
            snapshots.UnlockFile();
        }

        Directory.Delete(folder, recursive: true);
    }
}
