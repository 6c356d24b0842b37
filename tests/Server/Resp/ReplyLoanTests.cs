using System.Text;
using NUnit.Framework;
using Strata.Server;
using Strata.Server.Resp;
using Strata.Storage.Interop;
using Strata.Storage.Log;
using Strata.Tests.Storage.Log;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Resp;

/// <summary>Replies whose value lies in its record until it is sent.</summary>
[TestFixture]
internal sealed unsafe class ReplyLoanTests
{
    private const int Length = 10_000;
    private const int Borrower = 1;

    private static readonly string s_reply = $"${Length}\r\n{new string('v', Length)}\r\n";

    private TestLog _test = null!;
    private Record _record;
    private ReplyWriter _reply = null!;

    [SetUp]
    public void Open()
    {
        _test = new TestLog(pageBits: 16);
        var spec = new RecordSpec(_test.Keys.Make("key"), RecordType.String, expiryMs: -1);
        _record = _test.Log.Append(PageKind.Main, spec, Length, capacity: 0);
        _record.MutableValue.Fill((byte)'v');
        _reply = new ReplyWriter(budget: _test.Budget);
        _reply.Ok();
        Assert.That(_reply.TryLend(_test.Log, _record, Borrower));
    }

    [TearDown]
    public void Close()
    {
        _reply.Dispose();
        Assert.That(_test.Log.IsMutable(_record), "it was given back");
        _test.Dispose();
    }

    [Test]
    public void A_record_that_is_lent_is_not_changed_in_place_and_others_are()
    {
        var spec = new RecordSpec(_test.Keys.Make("other"), RecordType.String, expiryMs: -1);
        var other = _test.Log.Append(PageKind.Main, spec, 10, capacity: 0);
        Assert.That(_test.Log.IsMutable(_record), Is.False);
        Assert.That(_test.Log.IsMutable(other));
        _test.Log.Loans.Begin(0, _record.Address);
        _reply.Clear();
        Assert.That(_test.Log.IsMutable(_record), Is.False, "another worker sends it, too");
        _test.Log.Loans.End(0);
        Assert.That(_test.Log.IsMutable(_record));
    }

    [Test]
    public void It_is_sent_from_where_it_lies()
    {
        var parts = stackalloc IoVector[ReplyBuffer.MostParts];
        var text = new StringBuilder();
        var count = _reply.GetParts(parts);
        Assert.That(parts[1].Start == _record.ValuePointer);
        for (var i = 0; i < count; i++)
        {
            text.Append(Encoding.Latin1.GetString(parts[i].Start, (int)parts[i].Length));
        }

        Assert.That(text.ToString(), Is.EqualTo("+OK\r\n" + s_reply));
        Assert.That(_reply.Length, Is.EqualTo(text.Length));
        Assert.That(_test.Log.IsMutable(_record), Is.False);
    }

    [Test]
    public void Who_looks_at_it_finds_all_of_it()
    {
        var length = _reply.Length;
        Assert.That(Encoding.Latin1.GetString(_reply.WrittenSpan), Is.EqualTo("+OK\r\n" + s_reply));
        Assert.That(_reply.Length, Is.EqualTo(length));
        Assert.That(_reply.HasLoan, Is.False);
    }

    [Test]
    public void What_is_written_behind_it_stands_behind_it()
    {
        _reply.Error("ERR no");
        _reply.Bulk("more"u8);
        Assert.That(_reply.HasLoan, Is.False);
        Assert.That(_reply.Errors, Is.EqualTo(1));
        Assert.That(Encoding.Latin1.GetString(_reply.WrittenSpan),
            Is.EqualTo("+OK\r\n" + s_reply + "-ERR no\r\n$4\r\nmore\r\n"));
    }

    [Test]
    public void It_is_taken_back_like_any()
    {
        _reply.Rewind(_reply.Length);
        Assert.That(_reply.HasLoan, "nothing was taken back");
        _reply.Rewind("+OK\r\n".Length);
        Assert.That(_reply.HasLoan, Is.False);
        _reply.Integer(5);
        Assert.That(Encoding.Latin1.GetString(_reply.WrittenSpan), Is.EqualTo("+OK\r\n:5\r\n"));
    }

    [Test]
    public void Another_takes_it_as_it_takes_any()
    {
        using var target = new ReplyWriter(budget: _test.Budget);
        target.TakeFrom(_reply);
        Assert.That(Encoding.Latin1.GetString(target.WrittenSpan), Is.EqualTo("+OK\r\n" + s_reply));
    }

    [Test]
    public void At_the_end_of_memory_a_long_value_is_not_lent()
    {
        var spec = new RecordSpec(_test.Keys.Make("long"), RecordType.String, expiryMs: -1);
        var record = _test.Log.Append(PageKind.Main, spec, ServerLimits.FreeReplyBytes + 1, capacity: 0);
        using var reply = new ReplyWriter(budget: _test.Budget);
        _test.Budget.LimitBytes = 1 << 20;
        var most = _test.Budget.LimitBytes + _test.Budget.BytesBeyondLimit();
        _test.Budget.Charge(most);
        Assert.That(reply.TryLend(_test.Log, record, worker: 0), Is.False);
        Assert.That(reply.Length, Is.Zero);
        _test.Budget.Charge(-most);
        Assert.That(reply.TryLend(_test.Log, record, worker: 0));
        Assert.That(reply.IsGranted, "it was asked for");
        Assert.That(_reply.IsGranted, Is.False, "little is not asked for: who does not read it is closed for it");
    }
}
