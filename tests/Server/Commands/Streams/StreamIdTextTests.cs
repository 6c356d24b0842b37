using System.Text;
using NUnit.Framework;
using Strata.Server.Commands.Streams;
using Strata.Storage.Collections.Streams;

namespace Strata.Tests.Server.Commands.Streams;

/// <summary>What is taken for an id, as by Redis 7.0.15.</summary>
internal sealed class StreamIdTextTests
{
    private const ulong Missing = 77;

    [TestCase("0-0", 0UL, 0UL)]
    [TestCase("1", 1UL, Missing)]
    [TestCase("1-1", 1UL, 1UL)]
    [TestCase("01-01", 1UL, 1UL)]
    [TestCase(" 1-1", 1UL, 1UL)]
    [TestCase("+1-+2", 1UL, 2UL)]
    [TestCase("1-1\0what follows", 1UL, 1UL)]
    [TestCase("18446744073709551615", ulong.MaxValue, Missing)]
    [TestCase("18446744073709551615-18446744073709551615", ulong.MaxValue, ulong.MaxValue)]
    public void An_id_is_read(string text, ulong ms, ulong seq)
    {
        Assert.That(StreamIdText.TryParse(Encoding.ASCII.GetBytes(text), Missing, out var id), text);
        Assert.That(id, Is.EqualTo(new StreamId(ms, seq)));
    }

    [TestCase("")]
    [TestCase("-")]
    [TestCase("+")]
    [TestCase("*")]
    [TestCase("1-*")]
    [TestCase("(1")]
    [TestCase("1-")]
    [TestCase("-1")]
    [TestCase("-1-1")]
    [TestCase("1-1-1")]
    [TestCase("1--2")]
    [TestCase("1 -1")]
    [TestCase("1-1 ")]
    [TestCase("0x1-1")]
    [TestCase("\01-1")]
    [TestCase("18446744073709551616-0")]
    [TestCase("0-18446744073709551616")]
    [TestCase("99999999999999999999-0")]
    public void What_is_none_is_refused(string text)
        => Assert.That(StreamIdText.TryParse(Encoding.ASCII.GetBytes(text), Missing, out _), Is.False, text);

    [Test]
    public void A_text_may_have_so_many_bytes()
    {
        Assert.That(StreamIdText.TryParse(Encoding.ASCII.GetBytes("1".PadLeft(127, '0')), 0, out _));
        Assert.That(StreamIdText.TryParse(Encoding.ASCII.GetBytes("1".PadLeft(128, '0')), 0, out _), Is.False);
    }

    [TestCase("5-*", 5UL, 0UL, true)]
    [TestCase("5", 5UL, 0UL, false)]
    [TestCase("18446744073709551615-*", ulong.MaxValue, 0UL, true)]
    public void A_new_id_may_leave_its_second_number_open(string text, ulong ms, ulong seq, bool isOpen)
    {
        Assert.That(StreamIdText.TryParseNew(Encoding.ASCII.GetBytes(text), out var id, out var isStar));
        Assert.That((id, isStar), Is.EqualTo((new StreamId(ms, seq), isOpen)));
    }

    [TestCase("5-**")]
    [TestCase("*-1")]
    [TestCase("*")]
    public void A_new_id_has_one_star(string text)
        => Assert.That(StreamIdText.TryParseNew(Encoding.ASCII.GetBytes(text), out _, out _), Is.False, text);

    [TestCase(0UL, 0UL)]
    [TestCase(1UL, 9UL)]
    [TestCase(1UL, 10UL)]
    [TestCase(ulong.MaxValue, ulong.MaxValue)]
    public void What_is_answered_is_read_as_the_same(ulong ms, ulong seq)
    {
        Span<byte> text = stackalloc byte[StreamIdText.MaxBytes];
        text = text[..StreamIdText.Format(new StreamId(ms, seq), text)];
        Assert.That(Encoding.ASCII.GetString(text), Is.EqualTo($"{ms}-{seq}"));
        Assert.That(StreamIdText.TryParse(text, Missing, out var id));
        Assert.That(id, Is.EqualTo(new StreamId(ms, seq)));
    }

    [Test]
    public void Ids_have_neighbours_but_at_their_ends()
    {
        Assert.That(StreamId.Max.TryNext(out _), Is.False);
        Assert.That(StreamId.Min.TryPrevious(out _), Is.False);
        Assert.That(new StreamId(1, ulong.MaxValue).TryNext(out var next));
        Assert.That(next, Is.EqualTo(new StreamId(2, 0)));
        Assert.That(next.TryPrevious(out var previous));
        Assert.That(previous, Is.EqualTo(new StreamId(1, ulong.MaxValue)));
    }
}
