using System.Globalization;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>
/// Clients at the same time on several workers, with keys over all shards. Seconds each; CONCURRENCY_MINUTES=N
/// makes the timed ones run N minutes. Redis, which has one thread, proves the expectations; a thread that holds leases
/// on purpose, and data that is on disk, make Strata's commands wait in every way they can.
/// </summary>
[Category(TestCategories.Long)]
[TestFixture(ServerKind.Strata, 2, false, false)]
[TestFixture(ServerKind.Strata, 2, true, false)]
[TestFixture(ServerKind.Strata, 4, true, false)]
[TestFixture(ServerKind.Strata, 1, false, true)]
[TestFixture(ServerKind.Strata, 2, false, true)]
[TestFixture(ServerKind.Strata, 4, true, true)]
[TestFixture(ServerKind.Redis, 1, false, false)]
internal sealed class ConcurrencyTests(ServerKind kind, int workers, bool holdsLeases, bool isOnDisk)
{
    // All data goes to the disk as soon as it can, so that nearly every command waits for it.
    private static readonly string[] s_tier = ["--storage-tier", "yes", "--segment-size", "1mb"];

    private const int Clients = 6;
    private const int Batch = 50;

    [Test]
    public void Increments_are_all_counted()
    {
        const int counters = 64;
        const int perClient = 20_000;
        using var server = Start();

        RunOnce(server, Enumerable.Repeat<Action<RespConnection, Random>>(Work, Clients));

        using var reader = server.Connect();
        var sum = Enumerable.Range(0, counters).Sum(i => reader.Call("GET", $"counter:{i}").Integer);
        Assert.That(sum, Is.EqualTo((long)Clients * perClient));

        static void Work(RespConnection connection, Random random)
        {
            var last = new long[counters];
            for (var done = 0; done < perClient; done += Batch)
            {
                var chosen = Enumerable.Range(0, Batch).Select(_ => random.Next(counters)).ToArray();
                connection.Send(chosen.Select(i => RespCommand.Of("INCR", $"counter:{i}")));
                foreach (var i in chosen)
                {
                    var value = connection.ReadReply().Integer;
                    Assert.That(value, Is.GreaterThan(last[i]), "a counter never goes back for one client");
                    last[i] = value;
                }
            }
        }
    }

    [Test]
    public void Of_many_msetnx_on_the_same_keys_exactly_one_wins_whole()
    {
        const int rounds = 500;
        const int keys = 8;
        using var server = Start();
        var wins = new int[rounds];

        RunOnce(server, Enumerable.Range(0, Clients).Select<int, Action<RespConnection, Random>>(
            client => (connection, random) => Work(connection, random, $"client {client}")));

        using var reader = server.Connect();
        for (var round = 0; round < rounds; round++)
        {
            Assert.That(wins[round], Is.EqualTo(1), $"winners of round {round}");
            var values = reader.Call(["MGET", .. Names(round)]).Items.Select(item => item.Text).Distinct();
            Assert.That(values.Count(), Is.EqualTo(1), $"owners of the keys of round {round}");
        }

        void Work(RespConnection connection, Random random, string token)
        {
            for (var round = 0; round < rounds; round++)
            {
                var names = Names(round);
                random.Shuffle(names); // no order of locking is the same as another client's
                var won = connection.Call(["MSETNX", .. names.SelectMany(name => new[] { name, token })]).Integer;
                Interlocked.Add(ref wins[round], (int)won);
            }
        }

        static string[] Names(int round) => [.. Enumerable.Range(0, keys).Select(i => $"round:{round}:{i}")];
    }

    [Test]
    public void Renames_never_lose_or_copy_a_value()
    {
        const int places = 40;
        const int tokens = 20;
        using var server = Start();
        using (var writer = server.Connect())
        {
            for (var i = 0; i < tokens; i++)
            {
                writer.Call("SET", $"place:{i}", $"token {i}");
            }
        }

        RunTurns(server, [.. Enumerable.Repeat<Action<RespConnection, Random>>(Move, Clients)]);

        using var reader = server.Connect();
        var values = reader.Call(["MGET", .. Enumerable.Range(0, places).Select(i => $"place:{i}")]).Items
            .Where(item => !item.IsNull).Select(item => item.Text);
        Assert.That(values, Is.EquivalentTo(Enumerable.Range(0, tokens).Select(i => $"token {i}")));

        static void Move(RespConnection connection, Random random)
        {
            connection.Send(Enumerable.Range(0, Batch).Select(_ =>
                RespCommand.Of("RENAMENX", $"place:{random.Next(places)}", $"place:{random.Next(places)}")));
            for (var i = 0; i < Batch; i++)
            {
                var reply = connection.ReadReply();
                Assert.That(reply.Kind == RespKind.Integer || reply.Text == "ERR no such key", reply.ToString());
            }
        }
    }

    [Test]
    public void A_reader_of_several_keys_sees_a_writer_of_several_keys_whole()
    {
        string[] names = [.. Enumerable.Range(0, 8).Select(i => $"together:{i}")];
        using var server = Start();
        using (var writer = server.Connect())
        {
            writer.Call(["MSET", .. names.SelectMany(name => new[] { name, "start" })]);
        }

        RunTurns(server, Write, Write, Read, Read);

        void Write(RespConnection connection, Random random)
        {
            var token = random.Next().ToString(CultureInfo.InvariantCulture);
            var reply = connection.Call(["MSET", .. names.SelectMany(name => new[] { name, token })]);
            Assert.That(reply, Is.EqualTo(RespValue.Simple("OK")));
        }

        void Read(RespConnection connection, Random random)
        {
            var order = names.ToArray();
            random.Shuffle(order);
            var values = connection.Call(["MGET", .. order]).Items.Select(item => item.Text).Distinct().ToList();
            Assert.That(values, Has.Count.EqualTo(1), "one MSET's values, not parts of two");
        }
    }

    /// <summary>
    /// Readers beside writers, deleters and growth of the index: whatever is read was written whole under that key.
    /// With a memory limit eviction and compaction are added.
    /// </summary>
    [TestCase("", 20_000)]
    [TestCase("64mb", 200_000)]
    public void Values_are_never_torn_or_foreign(string maxMemory, int keys)
    {
        using var server = maxMemory.Length == 0
            ? Start()
            : Start("--maxmemory", maxMemory, "--maxmemory-policy", "allkeys-lru");
        var found = 0L;

        RunTurns(server, Write, Write, Write, Read, Read, Read);

        TestContext.Out.WriteLine($"{found} values read and found whole");
        Assert.That(found, Is.Positive);

        void Write(RespConnection connection, Random random)
        {
            connection.Send(Enumerable.Range(0, Batch).Select(_ => WriteCommand(random, Name(random))));
            for (var i = 0; i < Batch; i++)
            {
                Assert.That(connection.ReadReply().IsError, Is.False);
            }
        }

        void Read(RespConnection connection, Random random)
        {
            var names = Enumerable.Range(0, Batch).Select(_ => Name(random)).ToArray();
            var single = random.Next(2) == 0;
            connection.Send(single
                ? names.Select(name => RespCommand.Of("GET", name))
                : [RespCommand.Of(["MGET", .. names])]);
            var reply = single
                ? RespValue.Array([.. names.Select(_ => connection.ReadReply())])
                : connection.ReadReply();
            var replies = reply.Items;
            Assert.That(replies, Has.Count.EqualTo(names.Length), reply.ToString());
            for (var i = 0; i < names.Length; i++)
            {
                if (!replies[i].IsNull)
                {
                    Assert.That(ChecksummedValue.Problem(names[i], replies[i].Bytes), Is.Null);
                    Interlocked.Increment(ref found);
                }
            }
        }

        // Half of the traffic on few keys, so that readers and writers meet; the rest makes the index grow.
        string Name(Random random) => $"value:{(random.Next(2) == 0 ? random.Next(100) : random.Next(keys))}";
    }

    private static RespCommand WriteCommand(Random random, string name)
    {
        if (random.Next(20) == 0)
        {
            return RespCommand.Of("DEL", name);
        }

        var fillerBytes = random.Next(10) == 0 ? random.Next(20_000) : random.Next(400);
        var value = ChecksummedValue.Make(name, fillerBytes, random);
        var key = System.Text.Encoding.ASCII.GetBytes(name);
        return random.Next(10) == 0
            ? new RespCommand(["SET"u8.ToArray(), key, value, "PX"u8.ToArray(), "200"u8.ToArray()])
            : new RespCommand(["SET"u8.ToArray(), key, value]);
    }

    private ServerProcess Start(params string[] flags)
    {
        string[] own = kind == ServerKind.Strata
            ? ["--workers", workers.ToString(CultureInfo.InvariantCulture), "--enable-debug-command", "yes"]
            : [];
        var server = ServerProcess.Start(kind, [.. own, .. flags, .. isOnDisk ? s_tier : []]);
        if (isOnDisk)
        {
            using var connection = server.Connect();
            Assert.That(connection.Call("DEBUG", "TIER-EAGER", "1").Text, Is.EqualTo("OK"));
        }

        return server;
    }

    private void RunTurns(ServerProcess server, params Action<RespConnection, Random>[] turns)
    {
        using var holder = holdsLeases ? new LeaseHolder(server) : null;
        do
        {
            ConcurrentClients.Run(server, turns);
        }
        while (holder?.NeedsMore() == true);
    }

    private void RunOnce(ServerProcess server, IEnumerable<Action<RespConnection, Random>> work)
    {
        using var holder = holdsLeases ? new LeaseHolder(server) : null;
        ConcurrentClients.RunOnce(server, [.. work]);
    }
}
