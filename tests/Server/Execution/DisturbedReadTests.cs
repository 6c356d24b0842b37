using NUnit.Framework;
using Strata.Server.Commands.Model;
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
