using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Commands.Hashes;

/// <summary>More fields of one hash have expired than a command takes out: what is left is not seen.</summary>
internal sealed class ManyExpiredFieldsTests
{
    private const int Expiring = 20_000;

    private ServerProcess? _server;
    private RespConnection? _connection;

    [SetUp]
    public void MakeHash()
    {
        _server = ServerProcess.Start(ServerKind.Strata, ["--enable-debug-command", "yes"]);
        _connection = _server.Connect();
        Assert.That(Call("DEBUG", "SET-ACTIVE-EXPIRE", "0").Text, Is.EqualTo("OK"));
        var fields = Enumerable.Range(0, Expiring).Select(i => $"f{i}").ToArray();
        Call(["HSET", "h", "a", "1", "b", "2", .. fields.SelectMany(field => new[] { field, "1" })]);
        Call(["HPEXPIRE", "h", "30", "FIELDS", $"{Expiring}", .. fields]);
        Thread.Sleep(60);
    }

    [TearDown]
    public void Stop()
    {
        _connection?.Dispose();
        _server?.Dispose();
    }

    [Test]
    public void Readers_do_not_see_them()
    {
        Assert.That(Numbers("HTTL", "h", "FIELDS", "3", "f7", "f19000", "a"), Is.EqualTo(new[] { -2, -2, -1 }));
        Assert.That(Call("HGET", "h", "f8").IsNull, Is.True);
        Assert.That(Call("HLEN", "h").Integer, Is.GreaterThan(Expiring / 2), "fields, expired ones too");
        Assert.That(Texts(Call("HKEYS", "h")), Is.EquivalentTo(new[] { "a", "b" }));
        Assert.That(Texts(Call("HVALS", "h")), Is.EquivalentTo(new[] { "1", "2" }));
        Assert.That(Texts(Call("HGETALL", "h")), Is.EquivalentTo(new[] { "a", "1", "b", "2" }));
        var scanned = Call("HSCAN", "h", "0", "COUNT", "100000").Items[1];
        Assert.That(Texts(scanned), Is.EquivalentTo(new[] { "a", "1", "b", "2" }));
        Assert.That(Texts(Call("HRANDFIELD", "h", "10000")), Is.EquivalentTo(new[] { "a", "b" }));
        Assert.That(Call("HLEN", "h").Integer, Is.EqualTo(2));
    }

    [Test]
    public void Writers_make_them_anew()
    {
        Assert.That(Call("HSETNX", "h", "f0", "2").Integer, Is.EqualTo(1));
        Assert.That(Call("HDEL", "h", "f1", "f2").Integer, Is.Zero);
        Assert.That(Call("HSET", "h", "f3", "3", "f4", "4", "a", "5").Integer, Is.EqualTo(2));
        Assert.That(Call("HINCRBY", "h", "f5", "6").Integer, Is.EqualTo(6));
        Assert.That(Numbers("HEXPIRE", "h", "1000", "FIELDS", "2", "f6", "f3"), Is.EqualTo(new[] { -2, 1 }));
        Assert.That(Numbers("HPERSIST", "h", "FIELDS", "1", "f7"), Is.EqualTo(new[] { -2 }));
        Assert.That(Numbers("HTTL", "h", "FIELDS", "3", "f0", "f4", "f5"), Is.All.EqualTo(-1));
        Assert.That(Numbers("HTTL", "h", "FIELDS", "1", "f3")[0], Is.InRange(900, 1000));
        Assert.That(Call("HLEN", "h").Integer, Is.GreaterThan(Expiring / 2), "fields, expired ones too");
        Assert.That(Texts(Call("HKEYS", "h")), Is.EquivalentTo(new[] { "a", "b", "f0", "f3", "f4", "f5" }));
    }

    [Test]
    public void The_key_goes_with_the_last_of_them()
    {
        Assert.That(Call("HDEL", "h", "a", "b").Integer, Is.EqualTo(2));
        Assert.That(Call("HGETALL", "h").Items, Is.Empty);
        var looks = 0;
        for (; looks < Expiring && Call("EXISTS", "h").Integer == 1; looks++)
        {
            Assert.That(Call("HGET", "h", "f9").IsNull, Is.True);
        }

        Assert.That(looks, Is.LessThan(Expiring / 100), "commands until nothing was left");
        Assert.That(Call("HSET", "h", "f9", "1").Integer, Is.EqualTo(1));
    }

    private RespValue Call(params string[] arguments) => _connection!.Call(arguments);

    private long[] Numbers(params string[] arguments) => [.. Call(arguments).Items.Select(item => item.Integer)];

    private static IEnumerable<string> Texts(RespValue reply) => reply.Items.Select(item => item.Text);
}
