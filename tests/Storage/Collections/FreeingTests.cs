using System.Globalization;
using System.Text;
using NUnit.Framework;
using Strata.Storage;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Index;
using Strata.Tests.Storage.Sharding;

namespace Strata.Tests.Storage.Collections;

/// <summary>How what is given up is freed in step with what is allocated.</summary>
internal sealed class FreeingTests
{
    private const int Members = 100_000;

    private static readonly SetLimits s_limits = new(MaxIntegers: 8, MaxMembers: 8, MaxMemberBytes: 64);

    [Test]
    public void Sets_overwritten_one_after_the_other_do_not_pile_up()
    {
        using var test = new TestShard();
        var collections = test.Shard.Collections;
        var key = test.Keys.Make("set");
        var most = 0L;
        for (var round = 0; round < 12; round++)
        {
            Fill(test, key);
            most = Math.Max(most, collections.HeldBytes);
            test.Set(key, fill: 1, length: 10);
            Assert.That(collections.DoomedBytes, Is.LessThanOrEqualTo(Limits.LeastFreeingDebtBytes + most));
        }

        Assert.That(12 * most, Is.GreaterThan(3 * Limits.LeastFreeingDebtBytes), "they would have piled up");
    }

    [Test]
    public void What_grew_before_a_set_was_given_up_is_not_paid_for()
    {
        using var test = new TestShard();
        for (var round = 0; round < 6; round++)
        {
            Fill(test, test.Keys.Make($"set:{round}"));
        }

        Fill(test, test.Keys.Make("set"), 6 * Members);
        Assert.That(test.Delete(test.Keys.Make("set")));
        Assert.That(test.Shard.Collections.DoomedBytes, Is.GreaterThan(Limits.LeastFreeingDebtBytes));
    }

    private static void Fill(TestShard test, in Key key, int members = Members)
    {
        if (test.Shard.TryGet(key, test.NowMs, cold: null, out var record))
        {
            test.Shard.Remove(key, record, TestChange.Any);
        }

        var editor = new SetEditor(test.Shard, key, record: default, s_limits);
        for (var i = 0; i < members; i++)
        {
            _ = editor.Add(Encoding.ASCII.GetBytes(i.ToString("D20", CultureInfo.InvariantCulture)));
        }

        test.Shard.Settle(0, test.NowMs);
    }
}
