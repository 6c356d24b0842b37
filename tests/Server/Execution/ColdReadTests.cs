using NUnit.Framework;
using Strata.Server;
using Strata.Server.Commands.Model;
using Strata.Storage.Interop;
using Strata.Storage.Log;
using Strata.Tests.Storage.Devices;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Execution;

/// <summary>How often the handler of a command runs whose record is on the device: once to ask for it, and once when it
/// has been read. Of a pipeline only the first asks by its handler.</summary>
[TestFixture]
internal sealed class ColdReadTests
{
    private const int Keys = 64;
    private const int LargeBytes = 500_000;

    private int _calls;

    [Test]
    public void A_cold_get_runs_its_handler_twice_and_those_behind_it_once(
        [Values(1, 2)] int workers, [Values] bool isPipelined)
        => Run(workers, isPipelined, "GET");

    [Test]
    public void A_cold_string_that_is_changed_is_asked_for_before_the_handler_runs(
        [Values(1, 2)] int workers, [Values] bool isPipelined)
        => Run(workers, isPipelined, "GETDEL");

    [Test]
    public void A_key_that_cannot_be_read_is_not_watched()
    {
        using var device = new SimulatedDevice(seed: 1, segmentBytes: 1 << 20);
        using var server = StartServer(device, "WATCH", workers: 1);
        using var client = server.Connect();
        Fill(server, client);
        device.Faults.ReadErrno = Errno.InputOutput;
        Assert.That(client.Call("WATCH", "key:1", "key:2").Text, Does.StartWith("IOERR"));
        Assert.That(client.Call("DEL", "key:3").Text, Does.StartWith("IOERR"), "what is to be changed is read first");
        Assert.That(client.Call("FLUSHALL").Text, Is.EqualTo("OK"));
        Assert.That(client.Call("MULTI").Text, Is.EqualTo("OK"));
        Assert.That(client.Call("EXEC").IsNull, Is.False, "the client watches nothing");
    }

    /// <summary>Its time may have come.</summary>
    [Test]
    public void A_transaction_whose_watched_key_cannot_be_read_is_not_executed()
    {
        using var device = new SimulatedDevice(seed: 1, segmentBytes: 1 << 20);
        using var server = StartServer(device, "GET", workers: 1);
        using var client = server.Connect();
        Fill(server, client);
        Assert.That(client.Call("WATCH", "key:1").Text, Is.EqualTo("OK"));
        device.Faults.ReadErrno = Errno.InputOutput;
        Assert.That(client.Call("MULTI").Text, Is.EqualTo("OK"));
        Assert.That(client.Call("SET", "other", "x").Text, Is.EqualTo("QUEUED"));
        Assert.That(client.Call("EXEC").Text, Does.StartWith("IOERR"));
        device.Faults.Heal();
        Assert.That(client.Call("EXISTS", "other").Integer, Is.Zero);
        Assert.That(client.Call("MULTI").Text, Is.EqualTo("OK"));
        Assert.That(client.Call("SET", "other", "x").Text, Is.EqualTo("QUEUED"));
        Assert.That(client.Call("EXEC").Items, Has.Count.EqualTo(1), "nothing is watched any more");
    }

    [Test]
    public void KEYS_that_cannot_read_a_name_is_an_error_though_later_ones_are_read()
    {
        using var device = new SimulatedDevice(seed: 1, segmentBytes: 1 << 20);
        using var server = new ServerInProcess(
            device,
            row => Changed(row, "KEYS", context =>
            {
                // The second step finds that the reads of the first have failed.
                device.Faults.ReadErrno = ++_calls == 2 ? 0 : device.Faults.ReadErrno;
            }),
            "--workers", "1", "--enable-debug-command", "yes");
        using var client = server.Connect();
        Fill(server, client, 3 * ServerLimits.MaxColdReadsPerStep);
        device.Faults.ReadErrno = Errno.InputOutput;
        _calls = 0;

        Assert.That(client.Call("KEYS", "*").Text, Does.StartWith("IOERR"));
        Assert.That(client.Call("KEYS", "key:1").Items, Has.Count.EqualTo(1), "it begins anew");
    }

    /// <summary>Whoever asks for no value is not made to read one.</summary>
    [Test]
    public void Of_a_large_value_only_the_key_is_read_where_that_is_enough([Values(1, 2)] int workers)
    {
        using var device = new SimulatedDevice(seed: 1, segmentBytes: 1 << 20);
        using var server = StartServer(device, "EXISTS", workers);
        using var client = server.Connect();
        Fill(server, client, keys: 8, LargeBytes);
        Assert.That(client.Call("EXISTS", "key:0", "key:1", "none").Integer, Is.EqualTo(2));
        Assert.That(client.Call("STRLEN", "key:2").Integer, Is.EqualTo(LargeBytes));
        Assert.That(client.Call("TYPE", "key:3").Text, Is.EqualTo("string"));
        Assert.That(client.Call("TTL", "key:4").Integer, Is.EqualTo(-1));
        Assert.That(client.Call("TOUCH", "key:5").Integer, Is.EqualTo(1));
        Assert.That(client.Call("OBJECT", "REFCOUNT", "key:5").Integer, Is.EqualTo(1));
        Assert.That(client.Call("DEL", "key:6").Integer, Is.EqualTo(1));
        Assert.That(client.Call("UNLINK", "key:6", "key:7").Integer, Is.EqualTo(1));
        Assert.That(SecondReads(server), Is.Zero);

        client.Send(new[] { "STRLEN", "GET", "TTL" }.Select(verb => RespCommand.Of(verb, "key:0")));
        Assert.That(client.ReadReply().Integer, Is.EqualTo(LargeBytes));
        Assert.That(client.ReadReply().Text, Is.EqualTo(new string('v', LargeBytes)));
        Assert.That(client.ReadReply().Integer, Is.EqualTo(-1));
        Assert.That(SecondReads(server), Is.EqualTo(1));
    }

    [Test]
    public void A_damaged_head_of_a_large_value_is_found_out()
    {
        const int KeyOffset = RecordLog.FirstOffset + RecordHeader.Bytes + RecordHeader.ChecksumBytes
            + RecordHeader.WideBytes;
        using var device = new SimulatedDevice(seed: 1, segmentBytes: 1 << 20);
        using var server = StartServer(device, "EXISTS", workers: 1);
        using var client = server.Connect();
        Fill(server, client, keys: 4, LargeBytes);
        foreach (var segment in device.Segments)
        {
            device.Corrupt(segment, KeyOffset, bytes: 1);
        }

        Assert.That(client.Call("EXISTS", "key:0", "key:1", "key:2", "key:3").Text, Does.StartWith("IOERR"));
        Assert.That(SecondReads(server), Is.Zero);
    }

    /// <summary>What a call has read is all in its reply, though by then as much is under way as it was.</summary>
    [Test]
    public void SCAN_reads_each_cold_key_once([Values(1, 3)] int clients)
    {
        const int Many = 6_000;
        using var device = new SimulatedDevice(seed: 1, segmentBytes: 1 << 20);
        using var server = StartServer(device, "SCAN", workers: 1);
        using var filler = server.Connect();
        Assert.That(filler.Call("DEBUG", "TIER-EAGER", "1").Text, Is.EqualTo("OK"));
        filler.Send([.. Enumerable.Range(0, Many).Select(i => RespCommand.Of("SET", $"key:{i}", "value"))]);
        Assert.That(Enumerable.Range(0, Many).All(_ => filler.ReadReply().Text == "OK"));
        Assert.That(Enumerable.Range(0, 200).All(_ => filler.Call("PING").Text == "PONG"), "most leave memory");
        Assert.That(filler.Call("DEBUG", "TIER-EAGER", "0").Text, Is.EqualTo("OK"));
        long Reads() => server.Server.Workers.Sum(worker => worker.Tier!.Reads);
        var before = Reads();
        var connections = Enumerable.Range(0, clients).Select(_ => server.Connect()).ToList();
        foreach (var client in connections)
        {
            client.Send([RespCommand.Of("SCAN", "0", "COUNT", "100000")]);
        }

        var names = connections.Sum(client => client.ReadReply().Items[1].Items.Count);
        Assert.That(names, Is.GreaterThan(clients * ServerLimits.FewColdReadsPerStep));
        Assert.That(Reads() - before, Is.InRange(clients * ServerLimits.FewColdReadsPerStep, names));
        connections.ForEach(client => client.Dispose());
    }

    private static long SecondReads(ServerInProcess server)
        => server.Server.Workers.Sum(worker => worker.Tier!.SecondReads);

    private void Run(int workers, bool isPipelined, string verb)
    {
        using var device = new SimulatedDevice(seed: 1, segmentBytes: 1 << 20);
        using var server = StartServer(device, verb, workers);
        using var client = server.Connect();
        Fill(server, client);
        _calls = 0;
        var gets = Enumerable.Range(0, Keys).Select(i => RespCommand.Of(verb, $"key:{i}")).ToList();
        if (isPipelined)
        {
            client.Send(gets);
        }

        for (var i = 0; i < Keys; i++)
        {
            var reply = isPipelined ? client.ReadReply() : client.Call(gets[i]);
            Assert.That(reply.Text, Is.EqualTo($"value {i}"));
        }

        // A read without a lease beside what another worker does to the shard may be done once more.
        var asks = verb != "GET" ? 0 : isPipelined ? 1 : Keys;
        var mostAsks = isPipelined ? Keys / 2 : asks; // It may come in several pieces.
        Assert.That(_calls, Is.InRange(Keys + asks, Keys + mostAsks + (workers == 1 ? 0 : Keys / 8)));
    }

    private ServerInProcess StartServer(SimulatedDevice device, string counted, int workers)
        => new(device, row => Counted(row, counted), "--workers", $"{workers}", "--enable-debug-command", "yes");

    /// <summary>Sets the keys, and lets all of them leave memory.</summary>
    private static void Fill(ServerInProcess server, RespConnection client, int keys = Keys, int bytes = 0)
    {
        Assert.That(client.Call("DEBUG", "TIER-EAGER", "1").Text, Is.EqualTo("OK"));
        for (var i = 0; i < keys; i++)
        {
            var value = bytes == 0 ? $"value {i}" : new string('v', bytes);
            Assert.That(client.Call("SET", $"key:{i}", value).Text, Is.EqualTo("OK"));
        }

        while (!AreAllCold(server))
        {
            Assert.That(client.Call("PING").Text, Is.EqualTo("PONG")); // Each turn writes more, and lets go of it.
        }
    }

    private static bool AreAllCold(ServerInProcess server)
    {
        var areCold = true;
        server.Visit(shard =>
        {
            for (var page = 1; page < shard.Log.PageTop; page++)
            {
                ref readonly var info = ref shard.Log.Pages[page];
                areCold &= info.LiveBytes == 0 || info.Kind is PageKind.Cold or PageKind.Free;
            }
        });

        return areCold;
    }

    private CommandRow Counted(CommandRow row, string verb)
        => Changed(row, verb, _ => Interlocked.Increment(ref _calls));

    private static CommandRow Changed(CommandRow row, string verb, Action<CommandContext> before)
        => row.Name.Equals(verb, StringComparison.OrdinalIgnoreCase)
            ? row.With(context =>
            {
                before(context);
                row.Handler(context);
            })
            : row;
}
