using System.Collections.Concurrent;
using NUnit.Framework;
using Strata.Storage;
using Strata.Storage.Memory;

namespace Strata.Tests.Storage.Memory;

/// <summary>Buffers: what they hold as they grow, what is charged for them, and what is kept of them.</summary>
[TestFixture]
internal sealed unsafe class BufferPoolTests
{
    private const int Large = Limits.LeastMappedBufferBytes;
    private const long Limit = 64 << 20;

    private MemoryBudget _budget = null!;
    private BufferPool _pool = null!;
    private NativeBlock _block;
    private MemoryCharge _charge;

    [SetUp]
    public void Make()
    {
        _budget = new MemoryBudget { LimitBytes = Limit };
        _pool = _budget.Buffers;
        _block = default;
        _charge = new MemoryCharge(_budget);
    }

    [TearDown]
    public void Free()
    {
        _pool.Free(ref _block, ref _charge);
        _pool.ReleaseIdle();
        Assert.That(_budget.UsedBytes, Is.Zero);
    }

    [Test]
    public void What_a_block_holds_stays_as_it_grows_and_shrinks()
    {
        const int First = 1000;
        Resize(First);
        new Span<byte>(_block.Start, First).Fill(7);
        int[] sizes = [Large - 1, Large, 3 * Large, 9 << 20, 2 * Large, 20 << 20, Large, First];
        foreach (var bytes in sizes)
        {
            Resize(bytes);
            Assert.That(new Span<byte>(_block.Start, First).IndexOfAnyExcept((byte)7), Is.EqualTo(-1));
            Assert.That(_block.Bytes, Is.GreaterThanOrEqualTo(bytes));
            Assert.That(_budget.UsedBytes, Is.EqualTo(_block.Bytes + _pool.IdleBytes));
            _block.Start[_block.Bytes - 1] = 1;
        }
    }

    [Test]
    public void A_large_one_is_used_again()
    {
        Resize(2 << 20);
        var start = (nint)_block.Start;
        _block.Start[100] = 9;
        _pool.Free(ref _block, ref _charge);
        Assert.That(_pool.IdleBytes, Is.EqualTo(2 << 20).And.EqualTo(_budget.UsedBytes));
        Resize((2 << 20) - 100);
        Assert.That(((nint)_block.Start, (long)_block.Start[100]), Is.EqualTo((start, 9L)));
        Assert.That(_pool.IdleBytes, Is.Zero);
    }

    [Test]
    public void Who_grows_goes_over_to_one_that_is_kept()
    {
        Resize(4 << 20);
        var start = (nint)_block.Start;
        _pool.Free(ref _block, ref _charge);
        Resize(Large - 1);
        Resize(1 << 20);
        Assert.That((nint)_block.Start, Is.EqualTo(start));
    }

    [Test]
    public void What_is_held_for_long_does_not_take_one_that_is_much_larger()
    {
        Resize(4 << 20);
        _pool.Free(ref _block, ref _charge);
        _pool.Resize(ref _block, ref _charge, Large, fits: true);
        Assert.That(_block.Bytes, Is.LessThan(2 * Large));
    }

    [Test]
    public void What_is_kept_is_a_small_part_of_the_limit_and_the_newest()
    {
        var blocks = Enumerable.Range(0, 40).Select(_ => _pool.Allocate(1 << 20)).ToList();
        foreach (var block in blocks)
        {
            _pool.Free(block);
            Assert.That(_pool.IdleBytes, Is.LessThanOrEqualTo(Limit / Limits.IdleBufferShare));
        }

        Assert.That(_pool.IdleBytes, Is.EqualTo(Limit / Limits.IdleBufferShare));
        Resize(Limit / Limits.IdleBufferShare * 2);
        _pool.Free(ref _block, ref _charge);
        Assert.That(_pool.IdleBytes, Is.LessThanOrEqualTo(Limit / Limits.IdleBufferShare));
    }

    [Test]
    public void What_nobody_used_for_a_while_goes_back()
    {
        _pool.Trim(nowMs: 1000);
        Resize(Large);
        _pool.Free(ref _block, ref _charge);
        _pool.Trim(1000 + Limits.BufferIdleMs - 1);
        Assert.That(_pool.IdleBytes, Is.EqualTo(Large));
        _pool.Trim(1000 + Limits.BufferIdleMs);
        Assert.That(_pool.IdleBytes, Is.Zero);
    }

    [Test]
    public void Nothing_is_kept_while_memory_is_short()
    {
        Resize(1 << 19);
        _pool.Free(ref _block, ref _charge);
        Resize(2 << 20);
        const long Over = Limit / Limits.OverShare;
        _budget.Charge(Limit + Over - (2 << 20));
        _pool.Free(ref _block, ref _charge);
        Assert.That(_pool.IdleBytes, Is.EqualTo(1 << 19), "there is no room for what is given back");
        _budget.Charge(2 << 20);
        Resize(9 << 20);
        Assert.That(_pool.IdleBytes, Is.Zero, "it goes before more is taken");
        _budget.Charge(-Limit - Over);
    }

    [Test]
    public void What_is_kept_does_not_bring_memory_to_its_end()
    {
        Resize(Limit / Limits.IdleBufferShare);
        _pool.Free(ref _block, ref _charge);
        var left = (Limit / Limits.EndShare) + Limits.EndBytes + Limit;
        Assert.That(_budget.WouldPassEnd(left), Is.False);
        Assert.That(_budget.WouldPassEnd(left + 1));
    }

    [Test]
    public void The_end_of_a_block_is_given_up()
    {
        Resize(1 << 20);
        var start = (nint)_block.Start;
        _block.Start[(3 * Large) - 1] = 5;
        _pool.Cut(ref _block, ref _charge, (3 * Large) - 1);
        Assert.That((_block.Bytes, (nint)_block.Start), Is.EqualTo((3L * Large, start)));
        Assert.That((_charge.Bytes, _pool.IdleBytes), Is.EqualTo((3L * Large, (1L << 20) - (3 * Large))));
        Resize(12 << 20);
        Assert.That(_block.Start[(3 * Large) - 1], Is.EqualTo(5));
    }

    [Test]
    public void Buffers_may_be_taken_and_given_back_by_several_threads()
    {
        _budget.LimitBytes = 0;
        Parallel.For(0, 8, worker =>
        {
            var random = new Random(worker);
            var blocks = new NativeBlock[4];
            for (var i = 0; i < 2000; i++)
            {
                ref var block = ref blocks[random.Next(blocks.Length)];
                if (block.Start != null)
                {
                    Invariant.Check(*(long*)block.Start == worker, "nobody else writes to it");
                    _pool.Free(block);
                }

                block = _pool.Allocate(Large * random.Next(1, 12));
                *(long*)block.Start = worker;
            }

            foreach (var block in blocks)
            {
                _pool.Free(block);
            }
        });
        Assert.That(_budget.UsedBytes, Is.EqualTo(_pool.IdleBytes).And.LessThanOrEqualTo(Limits.MaxIdleBufferBytes));
    }

    [TestCase(1, 1)]
    [TestCase(4096, 4096)]
    [TestCase(4097, 8192)]
    [TestCase(33_000, 40_960)]
    [TestCase(40_961, 49_152)]
    [TestCase(Large - 1, Large)]
    public void What_a_smaller_one_takes_is_whole_pages(long bytes, long taken)
    {
        Resize(bytes);
        Assert.That((_block.Bytes, BufferPool.BytesTakenFor(bytes)), Is.EqualTo((taken, taken)));
        Assert.That(taken == 1 || ((nint)_block.Start & (MappedMemory.PageBytes - 1)) == 0);
    }

    [Test]
    public void The_pages_of_smaller_ones_go_back_whatever_lies_beside_them()
    {
        _budget.LimitBytes = 0;
        var blocks = Enumerable.Range(0, 1000).Select(i => Filled(4096 << (i % 5))).ToList();
        var freed = blocks.Where((_, i) => i % 2 == 0).ToList();
        freed.ForEach(block => _pool.Free(block));
        _pool.ReleaseIdle();
        Assert.That(_pool.IdleBytes, Is.Zero);
        foreach (var block in blocks)
        {
            // What went back reads as zeros.
            var value = freed.Contains(block) ? (byte)0 : (byte)1;
            Assert.That(new Span<byte>(block.Start, (int)block.Bytes).IndexOfAnyExcept(value), Is.EqualTo(-1));
        }

        blocks.Except(freed).ToList().ForEach(block => _pool.Free(block));
    }

    [Test]
    public void Smaller_ones_that_nobody_has_needed_go_back()
    {
        Resize(9000);
        var other = _pool.Allocate(9000);
        _pool.Free(other);
        _pool.Free(ref _block, ref _charge);
        _pool.Trim(Limits.BufferIdleMs);
        Resize(9000);
        _pool.Free(ref _block, ref _charge);
        Assert.That(_pool.IdleBytes, Is.EqualTo(24 << 10));
        _pool.Trim(2 * Limits.BufferIdleMs);
        Assert.That(_pool.IdleBytes, Is.EqualTo(12 << 10), "one of them was needed");
        _pool.Trim(3 * Limits.BufferIdleMs);
        Assert.That(_pool.IdleBytes, Is.Zero);
    }

    [Test]
    public void Smaller_ones_may_be_taken_and_given_back_by_several_threads([Values(0, Limit)] long limit)
    {
        _budget.LimitBytes = limit;
        var handedOver = new ConcurrentQueue<(NativeBlock Block, long Mark)>();
        Parallel.For(0, 8, worker =>
        {
            var random = new Random(worker);
            for (var i = 0; i < 20_000; i++)
            {
                var block = _pool.Allocate(random.Next(4096, 40_000));
                var mark = ((long)worker << 32) + i;
                Marks(block).Fill(mark);
                handedOver.Enqueue((block, mark));
                if (handedOver.Count > 100 && handedOver.TryDequeue(out var taken))
                {
                    GiveBack(taken.Block, taken.Mark);
                }

                if (i % 1000 == 0)
                {
                    _pool.ReleaseIdle();
                }
            }
        });
        foreach (var (block, mark) in handedOver)
        {
            GiveBack(block, mark);
        }

        _pool.ReleaseIdle();
        Assert.That((_budget.UsedBytes, _pool.IdleBytes), Is.EqualTo((0L, 0L)));
    }

    private static Span<long> Marks(in NativeBlock block) => new(block.Start, 512);

    private void GiveBack(in NativeBlock block, long mark)
    {
        Invariant.Check(Marks(block).IndexOfAnyExcept(mark) < 0, "nobody else writes to it");
        _pool.Free(block);
    }

    private NativeBlock Filled(long bytes)
    {
        var block = _pool.Allocate(bytes);
        new Span<byte>(block.Start, (int)block.Bytes).Fill(1);
        return block;
    }

    private void Resize(long bytes) => _pool.Resize(ref _block, ref _charge, bytes);
}
