using NUnit.Framework;
using Strata.Server.Rdb;
using Strata.Tests.Server.Execution;
using Strata.Tests.Support;
using static Strata.Tests.Server.Rdb.PayloadBuilder;

namespace Strata.Tests.Server.Rdb;

/// <summary>Values in forms that the redis-server at hand does not write: those of old versions, and of newer ones.
/// </summary>
[TestFixture]
internal sealed class OldEncodingTests
{
    private ServerInProcess _server = null!;
    private RespConnection _client = null!;

    [OneTimeSetUp]
    public void Start()
    {
        _server = new ServerInProcess(device: null, "--workers", "1");
        _client = _server.Connect();
    }

    [OneTimeTearDown]
    public void Stop()
    {
        _client.Dispose();
        _server.Dispose();
    }

    [Test]
    public void A_list_of_strings_is_read()
        => Expect(new PayloadBuilder(RdbType.List).Byte(3).String("a").Byte(0xC0).Byte(0x85).String("c"),
            ["LRANGE", "k", "0", "-1"], "a", "-123", "c");

    [Test]
    public void A_list_in_a_ziplist_is_read()
    {
        var longText = new string('x', 70);
        var longer = new string('y', 300);
        var longest = new string('z', 20_000);
        var list = Ziplist(
            ZiplistText("a"), ZiplistText(longText), ZiplistText(longer), ZiplistText(longest),
            [0xF1], [0xFD], [0xFE, 0x80], [0xC0, 0x39, 0x30], [0xF0, 0xFF, 0xFF, 0xFF], [0xF0, 0, 0, 0x80],
            [0xD0, 0, 0, 0, 0x80], [0xE0, 1, 2, 3, 4, 5, 6, 7, 0x88]);
        string[] elements =
        [
            "a", longText, longer, longest, "0", "12", "-128", "12345", "-1", "-8388608", "-2147483648",
            $"{unchecked((long)0x8807060504030201)}",
        ];
        Expect(new PayloadBuilder(RdbType.ListZiplist).String(list), ["LRANGE", "k", "0", "-1"], elements);
        Expect(new PayloadBuilder(RdbType.QuicklistOfZiplists).Byte(2).String(list).String(Ziplist(ZiplistText("end"))),
            ["LRANGE", "k", "0", "-1"], [.. elements, "end"]);
    }

    [Test]
    public void Sorted_sets_of_old_versions_are_read()
    {
        var texts = new PayloadBuilder(RdbType.SortedSetOfTexts).Byte(4)
            .String("high").Byte(254).String("low").Byte(255)
            .String("a").Byte(4).Text("-2.5").String("b").Byte(1).Text("7");
        Expect(texts, ["ZRANGE", "k", "0", "-1", "WITHSCORES"], "low", "-inf", "a", "-2.5", "b", "7", "high", "inf");
        var ziplist = Ziplist(ZiplistText("one"), [0xF2], ZiplistText("two"), ZiplistText("2.25"));
        Expect(new PayloadBuilder(RdbType.SortedSetZiplist).String(ziplist),
            ["ZRANGE", "k", "0", "-1", "WITHSCORES"], "one", "1", "two", "2.25");
    }

    [Test]
    public void Hashes_of_old_versions_are_read()
    {
        var ziplist = Ziplist(ZiplistText("f"), ZiplistText("v"), ZiplistText("g"), [0xFD]);
        Expect(new PayloadBuilder(RdbType.HashZiplist).String(ziplist), ["HGETALL", "k"], "f", "v", "g", "12");
        var longValue = new string('v', 300);
        var zipmap = new PayloadBuilder(2)
            .Byte(1).Text("f").Byte(2).Byte(3).Text("vw").Text("???")
            .Byte(1).Text("g").Byte(254).Int32(300).Byte(0).Text(longValue).Byte(255).Bytes;
        Expect(new PayloadBuilder(RdbType.Zipmap).String(zipmap), ["HGETALL", "k"], "f", "vw", "g", longValue);
    }

    [Test]
    public void A_set_in_a_listpack_is_read()
    {
        var listpack = new PayloadBuilder().Int32(21).Byte(4).Byte(0)
            .Raw(0x81, (byte)'a', 2).Raw(0xDF, 0xFF, 2).Raw(0xF1, 0, 0x80, 3).Raw(0x05, 1).Raw().Byte(255).Bytes;
        Assert.That(listpack, Has.Length.EqualTo(19));
        listpack[0] = 19;
        Expect(new PayloadBuilder(RdbType.SetListpack).String(listpack), ["SMEMBERS", "k"], "a", "-1", "-32768", "5");
        Assert.That(_client.Call("OBJECT", "ENCODING", "k").Text, Is.EqualTo("listpack"));
    }

    [Test]
    public void Fields_that_expire_are_read()
    {
        var nowMs = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds();
        var firstMs = nowMs + 1_000_000;
        var hash = new PayloadBuilder(RdbType.HashWithTimes).Int64(firstMs).Byte(3)
            .Byte(0).String("stays").String("1").Byte(1).String("first").String("2")
            .Byte(0x40).Byte(101).String("later").String("3");
        Restore(hash.Payload(version: 12));
        Assert.That(Texts("HPEXPIRETIME", "k", "FIELDS", "3", "stays", "first", "later"),
            Is.EqualTo(["-1", $"{firstMs}", $"{firstMs + 100}"]));
        var payload = _client.Call("DUMP", "k").Bytes;
        Assert.That(payload[0], Is.EqualTo(RdbType.HashListpackWithTimes));
        Restore(payload);
        Assert.That(Texts("HPEXPIRETIME", "k", "FIELDS", "3", "stays", "first", "later"),
            Is.EqualTo(["-1", $"{firstMs}", $"{firstMs + 100}"]));
        Assert.That(_client.Call("OBJECT", "ENCODING", "k").Text, Is.EqualTo("listpackex"));
    }

    [TestCase(15)]
    [TestCase(19)]
    [TestCase(21)]
    [TestCase(7)]
    [TestCase(8)]
    [TestCase(22)]
    [TestCase(200)]
    public void What_this_server_has_not_is_refused(byte type)
    {
        var reply = _client.Call(Command(new PayloadBuilder(type).Byte(1).String("a").Payload()));
        Assert.That(reply.Text, Is.EqualTo("ERR Bad data format"));
    }

    private static RespCommand Command(byte[] payload)
        => new(["RESTORE"u8.ToArray(), "k"u8.ToArray(), "0"u8.ToArray(), payload, "REPLACE"u8.ToArray()]);

    private void Expect(PayloadBuilder payload, string[] command, params string[] expected)
    {
        Restore(payload.Payload());
        Assert.That(Texts(command), Is.EqualTo(expected));
        var again = _client.Call("DUMP", "k").Bytes;
        Restore(again);
        Assert.That(Texts(command), Is.EqualTo(expected));
    }

    private void Restore(byte[] payload) => Assert.That(_client.Call(Command(payload)).Text, Is.EqualTo("OK"));

    private string[] Texts(params string[] command) => [.. _client.Call(command).Items.Select(item => item.Text)];
}
