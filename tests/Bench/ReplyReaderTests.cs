using System.Text;
using NUnit.Framework;
using Strata.Bench;
using Strata.Bench.Load;

namespace Strata.Tests.Bench;

public sealed class ReplyReaderTests
{
    private const string Replies =
        "+OK\r\n:12\r\n$-1\r\n$5\r\nhello\r\n$0\r\n\r\n"
        + ":-10\r\n*3\r\n$1\r\na\r\n$-1\r\n$2\r\n\r\n\r\n*0\r\n*-1\r\n"
        + "*2\r\n*2\r\n*0\r\n*1\r\n*-1\r\n+OK\r\n-ERR no\r\n-ERR no\r\n+END\r\n";

    private const int ReplyCount = 13;

    [Test]
    public void Counts_replies_hits_misses_and_errors_however_the_bytes_are_cut()
    {
        var bytes = Encoding.ASCII.GetBytes(Replies);
        for (var split = 0; split <= bytes.Length; split++)
        {
            Check([bytes[..split], bytes[split..]]);
        }

        Check(Array.ConvertAll(bytes, b => new[] { b }));
    }

    [TestCase("HTTP/1.1 400 Bad Request\r\n")]
    [TestCase("$abc\r\n")]
    [TestCase("$-2\r\n")]
    [TestCase(":x\r\n")]
    [TestCase("*2\r\n*-2\r\n")]
    [TestCase("\r\n")]
    public void Says_what_the_server_answered_when_it_is_no_such_reply(string text)
    {
        var error = Assert.Throws<BenchException>(() => Check([Encoding.ASCII.GetBytes(text)]));
        Assert.That(error!.Message, Does.Contain("no RESP2 reply"));
    }

    private static void Check(byte[][] pieces)
    {
        var reader = new ReplyReader();
        var tally = new ReplyTally();
        var replies = 0;
        byte[] unfinished = [];
        foreach (var piece in pieces)
        {
            ReadOnlySpan<byte> input = [.. unfinished, .. piece];
            while (!input.IsEmpty && reader.TryRead(ref input, tally))
            {
                replies++;
            }

            unfinished = input.ToArray();
        }

        Assert.Multiple(() =>
        {
            Assert.That(replies, Is.EqualTo(ReplyCount));
            Assert.That((tally.Hits, tally.Misses, tally.IntegerSum), Is.EqualTo((4L, 2L, 2L)));
            Assert.That(tally.Errors, Is.EqualTo(new Dictionary<string, long> { ["ERR no"] = 2 }));
            Assert.That(unfinished, Is.Empty);
        });
    }
}
