using NUnit.Framework;
using Strata.Server.Commands.Model;
using Strata.Storage.Index;
using Strata.Storage.Records;
using Strata.Tests.Storage.Devices;

namespace Strata.Tests.Server.Execution;

/// <summary>Reads without a lease, each with a change of its shard between its two looks at the version.</summary>
[TestFixture]
internal sealed class DisturbedReadTests
{
    private int _reads;
    private int _leasedReads;
    private int _disturbances;

    [SetUp]
    public void SetUp() => (_reads, _leasedReads, _disturbances) = (0, 0, 0);

    [TestCase("value", "GET", "key")]
    [TestCase("2", "EXISTS", "key", "key")]
    [TestCase("value value", "MGET", "key", "key")]
    public void A_read_disturbed_once_is_repeated(string expected, params string[] command)
    {
        Assert.That(Read(disturbances: 1, command), Is.EqualTo(expected));
        Assert.That((_reads, _leasedReads), Is.EqualTo((2, 0)));
    }

    [TestCase("value", "GET", "key")]
    [TestCase("2", "EXISTS", "key", "key")]
    [TestCase("value value", "MGET", "key", "key")]
    public void A_read_disturbed_twice_is_done_under_the_lease(string expected, params string[] command)
    {
        Assert.That(Read(disturbances: 2, command), Is.EqualTo(expected));
        Assert.That((_reads, _leasedReads), Is.EqualTo((3, 1)));
    }

    /// <summary>Of what a look-up without the lease has found in a shard that changed, nothing is written to: it may be
    /// part of another value.</summary>
    [TestCase("GET", "key")]
    [TestCase("MGET", "key", "key")]
    [TestCase("TOUCH", "key")]
    public void A_disturbed_read_does_not_mark_what_it_found(params string[] command)
    {
        var marks = new List<(bool IsLeased, int Marks)>();
        using var server = new ServerInProcess(
            device: null,
            row => row.Name.Equals(command[0], StringComparison.OrdinalIgnoreCase)
                ? row.With(context => marks.Add((context.IsLeased, MarksOf(context, row.Handler))))
                : row,
            "--workers", "2", "--maxmemory-policy", "allkeys-lfu");
        using var client = server.Connect();
        Assert.That(client.Call("SET", "key", "value").Text, Is.EqualTo("OK"));

        _ = client.Call(command);

        Assert.That(marks, Is.EqualTo([(false, 0), (false, 0), (true, command.Length - 1)]));
    }

    /// <summary>How often a handler marks the key as read, the shard having been changed before it found it.</summary>
    private static unsafe int MarksOf(CommandContext context, CommandHandler handler)
    {
        var shard = context.ShardOf(context.KeyAt(1));
        if (!context.IsLeased)
        {
            Assert.That(shard.Lease.TryAcquire());
            shard.Lease.Release();
        }

        var before = Frequency();
        handler(context);
        return Frequency() - before;

        int Frequency()
        {
            var key = context.KeyAt(1);
            Assert.That(shard.Find(key, context.NowMs, cold: null, out var record), Is.EqualTo(FindResult.Found));
            return IndexEntry.Frequency(*shard.FindSlot(key.Hash, record.Address));
        }
    }

    private string Read(int disturbances, string[] command)
    {
        using var device = new SimulatedDevice(seed: 1, segmentBytes: 1 << 20);
        using var server = new ServerInProcess(device, row => Disturbed(row, command[0]), "--workers", "2");
        using var client = server.Connect();
        Assert.That(client.Call("SET", "key", "value").Text, Is.EqualTo("OK"));
        _disturbances = disturbances;
        var reply = client.Call(command);
        return command[0] == "MGET" ? string.Join(' ', reply.Items.Select(item => item.Text)) : reply.Text;
    }

    private CommandRow Disturbed(CommandRow row, string verb)
        => row.Name.Equals(verb, StringComparison.OrdinalIgnoreCase)
            ? row.With(context => Disturb(context, row.Handler))
            : row;

    private void Disturb(CommandContext context, CommandHandler handler)
    {
        handler(context);
        _reads++;
        _leasedReads += context.IsLeased ? 1 : 0;
        if (_disturbances-- > 0)
        {
            var shard = context.ShardOf(context.Key);
            Assert.That(shard.Lease.TryAcquire());
            shard.Lease.Release();
        }
    }
}
