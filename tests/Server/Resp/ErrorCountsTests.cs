using NUnit.Framework;
using Strata.Server.Resp;

namespace Strata.Tests.Server.Resp;

[TestFixture]
internal sealed class ErrorCountsTests
{
    [Test]
    public void Errors_are_counted_by_their_first_word()
    {
        var counts = new ErrorCounts();
        counts.Count("ERR syntax error"u8);
        counts.Count("WRONGTYPE Operation"u8);
        counts.Count("ERR no such key"u8);
        counts.Count("noblank"u8);
        counts.Count("AVERYLONGFIRSTWORDTHATISNOCODEATALL follows"u8);

        Assert.That(counts.All, Is.EquivalentTo(new[] { ("ERR", 4L), ("WRONGTYPE", 1L) }));
    }

    [Test]
    public void Only_errors_that_stay_in_the_reply_are_counted()
    {
        var counts = new ErrorCounts();
        using var reply = new ReplyWriter(counts);
        reply.Error("ERR stays"u8);
        var length = reply.Length;
        reply.Error("WRONGTYPE is taken back"u8);
        reply.Rewind(length);

        Assert.That(reply.Errors, Is.EqualTo(1));
        Assert.That(counts.All, Is.Empty);

        reply.CountErrors();

        Assert.That(counts.All, Is.EqualTo(new[] { ("ERR", 1L) }));

        reply.Clear();

        Assert.That(counts.All, Is.EqualTo(new[] { ("ERR", 1L) }), "not twice");
    }
}
