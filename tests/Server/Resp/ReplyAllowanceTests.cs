using NUnit.Framework;
using Strata.Server;
using Strata.Server.Resp;
using Strata.Storage.Memory;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Resp;

/// <summary>The memory that is asked for replies which wait, perhaps, for their client to read.</summary>
[TestFixture]
internal sealed class ReplyAllowanceTests
{
    private MemoryBudget _budget = null!;
    private ReplyWriter _writer = null!;

    [SetUp]
    public void Begin()
    {
        _budget = new MemoryBudget { LimitBytes = 1 << 20 };
        _writer = new ReplyWriter(budget: _budget) { MayRefuse = static () => true };
    }

    [TearDown]
    public void End() => _writer.Dispose();

    /// <summary>As many as there are clients may be on their way.</summary>
    [Test]
    public void At_the_end_of_memory_a_reply_that_may_be_refused_is()
    {
        Fill();
        _writer.Bulk(new byte[ServerLimits.FreeReplyBytes / 2]);
        Assert.That(() => Write(ServerLimits.FreeReplyBytes), Throws.InstanceOf<NoRoomException>());
        Assert.That(_writer.IsGranted, Is.False);
        _budget.LimitBytes *= 2;
        Write(ServerLimits.FreeReplyBytes);
        Assert.That(_writer.IsGranted);
    }

    /// <summary>It is not the buffer that is asked for alone, but what waits of it in the connection's.</summary>
    [Test]
    public void Each_reply_is_asked_for_though_there_is_a_buffer_for_it()
    {
        Write(4 * ServerLimits.FreeReplyBytes);
        Assert.That(_writer.IsGranted);
        _writer.Clear();
        Fill();
        Assert.That(() => Write(4 * ServerLimits.FreeReplyBytes), Throws.InstanceOf<NoRoomException>());
        _writer.Rewind(0);
        Write(ServerLimits.FreeReplyBytes / 2);
        Assert.That(_writer.IsGranted, Is.False);
    }

    /// <summary>It has been done, and is answered.</summary>
    [Test]
    public void A_reply_that_may_not_be_refused_is_not_granted()
    {
        using var writer = new ReplyWriter(budget: _budget);
        Fill();
        writer.Bulk(new byte[4 * ServerLimits.FreeReplyBytes]);
        Assert.That(writer.IsGranted, Is.False);
    }

    private void Write(int bytes) => _writer.Bulk(new byte[bytes]);

    private void Fill()
        => _budget.Charge(_budget.LimitBytes + _budget.BytesBeyondLimit());
}
