using NUnit.Framework;
using Strata.Server;
using Strata.Server.Resp;
using Strata.Storage.Memory;

namespace Strata.Tests.Server.Resp;

/// <summary>Replies that go from one writer to another, with the memory they lie in where they are large.</summary>
[TestFixture]
internal sealed unsafe class ReplyTakingTests
{
    [TestCase(10, false, false)]
    [TestCase(ServerLimits.MaxGatheredBytes + 1, false, true)]
    [TestCase(ServerLimits.MaxGatheredBytes + 1, true, false)]
    public void What_is_taken_is_all_there_is_and_charged_once(int length, bool isAnythingBefore, bool takesMemory)
    {
        var budget = new MemoryBudget();
        using (var target = new ReplyWriter(budget: budget))
        {
            using var source = new ReplyWriter(budget: budget, isSeldomUsed: true);
            var text = new byte[length];
            Random.Shared.NextBytes(text);
            source.Raw(text);
            var start = source.Start;
            if (isAnythingBefore)
            {
                target.Ok();
            }

            target.TakeFrom(source);
            Assert.That(target.Start == start, Is.EqualTo(takesMemory));
            Assert.That(target.WrittenSpan[(isAnythingBefore ? 5 : 0)..].SequenceEqual(text));
            Assert.That(budget.UsedBytes, Is.GreaterThanOrEqualTo(source.ChargedBytes + target.ChargedBytes));
            source.Free();
            source.Raw(text);
            Assert.That(source.WrittenSpan.SequenceEqual(text), "it can be used on");
            target.Clear();
            target.Raw(text);
            Assert.That(target.WrittenSpan.SequenceEqual(text));
        }

        Assert.That(budget.UsedBytes, Is.EqualTo(budget.Buffers.IdleBytes));
    }

    [TestCase(0)]
    [TestCase(10)]
    [TestCase(200_000)]
    public void What_stands_before_a_large_reply_stays_when_that_is_taken(int before)
    {
        var budget = new MemoryBudget();
        using (var target = new ReplyWriter(budget: budget))
        {
            using var source = new ReplyWriter(budget: budget, isSeldomUsed: true);
            var head = new byte[before];
            var text = new byte[ServerLimits.MaxGatheredBytes + 1];
            Random.Shared.NextBytes(head);
            Random.Shared.NextBytes(text);
            source.Raw(head);
            source.Raw(text);
            var start = source.Start;
            var charged = budget.UsedBytes;

            target.TakeFrom(source, before);

            Assert.That(target.Start == start + before, "it was not copied");
            Assert.That(budget.UsedBytes, Is.LessThan(charged + (2 * before) + (64 << 10)));
            Assert.That(target.WrittenSpan.SequenceEqual(text));
            Assert.That(source.WrittenSpan.SequenceEqual(head));
            source.Raw(text);
            target.Clear();
            target.Raw(head);
            Assert.That(source.WrittenSpan[before..].SequenceEqual(text));
            Assert.That(target.WrittenSpan.SequenceEqual(head));
        }

        Assert.That(budget.UsedBytes, Is.EqualTo(budget.Buffers.IdleBytes));
    }
}
