using System.Text;
using NUnit.Framework;
using Strata.Server.Rdb;
using Strata.Tests.Server.Rdb;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Commands.Keys;

/// <summary>DUMP and RESTORE: options, errors, what is told.</summary>
[TestFixture(ServerKind.Strata)]
[TestFixture(ServerKind.Redis)]
public sealed class RestoreTests(ServerKind kind) : KeysFixture(kind)
{
    private static readonly byte[] s_payload = new PayloadBuilder(RdbType.String).String("value").Payload();

    [Test]
    public void A_key_is_restored_with_its_time()
    {
        Assert.That(Restore("0"), Is.EqualTo("OK"));
        Assert.That(Call("GET", "k").Text, Is.EqualTo("value"));
        Assert.That(Number("PTTL", "k"), Is.EqualTo(-1));
        Assert.That(Restore("100000", "replace"), Is.EqualTo("OK"));
        Assert.That(Number("PTTL", "k"), Is.InRange(50_000, 100_000));
        Assert.That(Restore("4000000000000", "ABSTTL", "REPLACE"), Is.EqualTo("OK"));
        Assert.That(Number("PEXPIRETIME", "k"), Is.EqualTo(4_000_000_000_000));
        Assert.That(Call("DUMP", "k").Bytes[..^DumpFooter.Length], Is.EqualTo(s_payload[..^DumpFooter.Length]));
    }

    [Test]
    public void What_has_expired_only_takes_away_what_was_there()
    {
        Assert.That(Restore("1", "ABSTTL"), Is.EqualTo("OK"));
        Assert.That(Number("EXISTS", "k"), Is.Zero);
        Call("SET", "k", "old");
        Assert.That(Restore("1", "ABSTTL", "REPLACE"), Is.EqualTo("OK"));
        Assert.That(Number("EXISTS", "k"), Is.Zero);
    }

    [Test]
    public void A_key_that_is_there_is_busy()
    {
        Call("SET", "k", "old");
        Assert.That(Restore("0"), Is.EqualTo("BUSYKEY Target key name already exists."));
        Assert.That(Call("GET", "k").Text, Is.EqualTo("old"));
    }

    [TestCase("ERR syntax error", "0", "NONSENSE")]
    [TestCase("ERR syntax error", "0", "IDLETIME")]
    [TestCase("ERR syntax error", "0", "FREQ", "1", "IDLETIME", "1")]
    [TestCase("ERR Invalid IDLETIME value, must be >= 0", "0", "IDLETIME", "-1")]
    [TestCase("ERR Invalid FREQ value, must be >= 0 and <= 255", "0", "FREQ", "256")]
    [TestCase("ERR value is not an integer or out of range", "0", "FREQ", "x")]
    [TestCase("ERR value is not an integer or out of range", "x")]
    [TestCase("ERR Invalid TTL value, must be >= 0", "-1")]
    public void What_is_wrong_is_told(string error, string time, params string[] options)
        => Assert.That(Restore(time, options), Is.EqualTo(error));

    [Test]
    public void A_payload_that_is_not_whole_or_not_known_is_refused()
    {
        const string Wrong = "ERR DUMP payload version or checksum are wrong";
        Assert.That(RestoreBytes(s_payload[..9], "0"), Is.EqualTo(Wrong));
        Assert.That(RestoreBytes([.. s_payload[..3], .. s_payload[4..]], "0"), Is.EqualTo(Wrong));
        Assert.That(RestoreBytes(new PayloadBuilder(RdbType.String).String("v").Payload(version: 99), "0"),
            Is.EqualTo(Wrong));
        var torn = new PayloadBuilder(RdbType.String, 60, (byte)'a').Payload(); // Redis takes the footer for content.
        Assert.That(RestoreBytes(torn, "0"), Is.EqualTo("ERR Bad data format"));
        var empty = new PayloadBuilder(RdbType.Set, 0).Payload();
        Assert.That(RestoreBytes(empty, "0"), Is.EqualTo("ERR Bad data format"));
        Assert.That(Number("EXISTS", "k"), Is.Zero);
    }

    [Test]
    public void The_idle_time_is_kept()
    {
        Assert.That(Restore("0", "IDLETIME", "1000"), Is.EqualTo("OK"));
        Assert.That(Number("OBJECT", "IDLETIME", "k"), Is.InRange(1000, 1100));
    }

    [Test]
    public void It_is_told_as_restored()
    {
        Call("CONFIG", "SET", "notify-keyspace-events", "EA");
        using var listener = Server.Connect();
        listener.Call("PSUBSCRIBE", "__keyevent@*");
        Assert.That(Restore("0"), Is.EqualTo("OK"));
        Assert.That(listener.ReadReply().Items[2].Text, Is.EqualTo("__keyevent@0__:restore"));
        Assert.That(Restore("1", "ABSTTL", "REPLACE"), Is.EqualTo("OK"));
        Assert.That(listener.ReadReply().Items[2].Text, Is.EqualTo("__keyevent@0__:del"));
        Call("CONFIG", "SET", "notify-keyspace-events", "");
    }

    private string Restore(string time, params string[] options) => RestoreBytes(s_payload, time, options);

    private string RestoreBytes(byte[] payload, string time, params string[] options)
    {
        var words = options.Select(Encoding.ASCII.GetBytes);
        return Connection.Call(new RespCommand(
            ["RESTORE"u8.ToArray(), "k"u8.ToArray(), Encoding.ASCII.GetBytes(time), payload, .. words])).Text;
    }
}
