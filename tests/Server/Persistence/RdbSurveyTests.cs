using NUnit.Framework;
using Strata.Server.Persistence;
using Strata.Server.Rdb;
using Strata.Tests.Server.Rdb;

namespace Strata.Tests.Server.Persistence;

/// <summary>What <c>--check-rdb</c> finds in a file without a checksum: all that a load would refuse.</summary>
[TestFixture]
internal sealed class RdbSurveyTests
{
    private const string Library = "#!lua name=first\nredis.register_function('f', function() return 1 end)";

    private string _path = null!;

    private static (string Name, PayloadBuilder File, string Problem)[] Refused =>
    [
        ("a listpack", Value(RdbType.SetListpack).String("no listpack"), "a listpack is damaged"),
        ("a listpack's length", Value(RdbType.HashListpack).String([9, 0, 0, 0, 0, 0, 0xFF]), "at byte"),
        ("a ziplist", Value(RdbType.ListZiplist).String("nothing of a ziplist"), "at byte"),
        ("a set of numbers", Value(RdbType.Intset).String([2, 0, 0, 0, 2, 0, 0, 0, 1, 0]), "at byte"),
        ("the kind of a node", Value(RdbType.Quicklist).Byte(1).Byte(7).String("node"), "of the kind 7"),
        ("a stream", Value(RdbType.Stream3).Byte(1).String("short").String("no listpack"), "at byte"),
        ("an element", Value(RdbType.Set).Byte(2).String("a").String("a"), "an element is there twice"),
        ("the time of a field", Value(RdbType.HashWithTimes).Int64(-5).Byte(0), "no time at which a field expires"),
        ("what has expired", Expired().Byte(RdbType.SetListpack).String("k").String("no listpack"), "at byte"),
        ("a key", Value(RdbType.String).String("v").Byte(RdbType.String).String("k").String("w"),
            "a key is there twice"),
        ("a database", Begun().Byte(RdbFormat.Database).Raw(0x41, 0x2C).Byte(RdbType.String).String("k").String("v"),
            "no server has more than 256"),
        ("a library's first line", Begun().Byte(RdbFormat.Function).String("return 1"), "Missing library metadata"),
        ("a library's name", Begun().Byte(RdbFormat.Function).String(Library)
            .Byte(RdbFormat.Function).String(Library), "Library 'first' already exists"),
        ("a function's name", Begun().Byte(RdbFormat.Function).String(Library)
            .Byte(RdbFormat.Function).String(Library.Replace("first", "second", StringComparison.Ordinal)),
            "already exists"),
        ("what a library does", Begun().Byte(RdbFormat.Function).String("#!lua name=l\nwork()"),
            "nonexistent global variable 'work'"),
    ];

    [SetUp]
    public void MakeFile() => _path = Path.GetTempFileName();

    [TearDown]
    public void RemoveFile() => File.Delete(_path);

    [TestCaseSource(nameof(Refused))]
    public void What_a_load_would_refuse_is_found((string Name, PayloadBuilder File, string Problem) one)
    {
        var found = Survey(one.File);
        Assert.That(found.Problem, Does.Contain(one.Problem), one.Name);
    }

    [Test]
    public void What_is_whole_before_the_damage_is_counted()
    {
        var file = Value(RdbType.String).String("v");
        var whole = file.Bytes.Length;
        var found = Survey(file.Byte(RdbType.SetListpack).String("second").String("no listpack"));
        Assert.That(found.Problem, Is.Not.Null);
        Assert.That((found.Keys, found.WholeBytes), Is.EqualTo((1, whole)));
    }

    [Test]
    public void A_file_that_can_be_loaded_is_counted()
    {
        var file = Begun().Byte(RdbFormat.Function).String(Library)
            .Byte(RdbFormat.Database).Byte(0)
            .Byte(RdbType.String).String("k").String("v")
            .Byte(RdbType.List).String("empty").Byte(0)
            .Byte(RdbType.List).String("empty").Byte(0)
            .Byte(RdbType.String).String("long").String(new byte[3 << 20])
            .Byte(RdbFormat.Database).Byte(9)
            .Byte(RdbFormat.ExpiryMs).Int64(1).Byte(RdbType.Set).String("k").Byte(2).String("a").String("b");
        var found = Survey(file);
        Assert.That(found.Problem, Is.Null);
        Assert.That((found.Keys, found.Expired, found.Functions, found.Databases), Is.EqualTo((5, 1, 1, 10)));
    }

    private static PayloadBuilder Begun() => new PayloadBuilder().Text("REDIS0011");

    private static PayloadBuilder Expired() => Begun().Byte(RdbFormat.ExpiryMs).Int64(1);

    private static PayloadBuilder Value(byte type) => Begun().Byte(type).String("k");

    private RdbSurvey Survey(PayloadBuilder file)
    {
        File.WriteAllBytes(_path, [.. file.Byte(RdbFormat.End).Bytes, .. new byte[sizeof(long)]]);
        return RdbSurvey.Of(_path);
    }
}
