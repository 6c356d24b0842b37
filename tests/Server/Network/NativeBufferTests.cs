using NUnit.Framework;
using Strata.Server;
using Strata.Server.Network;
using Strata.Storage.Memory;

namespace Strata.Tests.Server.Network;

/// <summary>The memory of a connection's buffer that is mapped for a large value.</summary>
[TestFixture]
internal sealed unsafe class NativeBufferTests
{
    private const int Step = ServerLimits.MaxReceiveBytes;
    private const int Expected = 40 * Step;

    private readonly MemoryBudget _budget = new();
    private NativeBuffer _buffer = null!;

    [SetUp]
    public void Map()
    {
        _buffer = new NativeBuffer(_budget);
        var held = stackalloc byte[100];
        new Span<byte>(held, 100).Fill(7);
        _buffer.Append(held, 100);
        _buffer.Map(Expected, offset: 20, phase: 50);
    }

    [TearDown]
    public void Free()
    {
        _buffer.Dispose();
        Assert.That(_budget.UsedBytes, Is.Zero);
    }

    [Test]
    public void What_is_held_stays_and_gets_the_phase_that_is_wanted()
    {
        Assert.That(new Span<byte>(_buffer.Start, 100).IndexOfAnyExcept((byte)7), Is.EqualTo(-1));
        Assert.That(_buffer.Length, Is.EqualTo(100));
        Assert.That(PageMove.PhaseOf(_buffer.Start + 20), Is.EqualTo(50));
    }

    [Test]
    public void Only_the_room_that_is_asked_for_is_taken()
    {
        Assert.That(_budget.UsedBytes, Is.LessThan(Step));
        for (var received = 100L; received + Step < Expected; received += Step)
        {
            var tail = _buffer.ReserveTail(Step);
            Assert.That(_buffer.TailRoom, Is.InRange(Step, 2 * Step));
            Assert.That(_budget.UsedBytes, Is.EqualTo(_buffer.MemoryBytes).And.LessThan(received + (3 * Step)));
            tail[Step - 1] = 1;
            _buffer.Commit(Step);
        }
    }

    [Test]
    public void What_was_not_expected_finds_room_too()
    {
        var almostAll = _buffer.ExpectedRoom - 10;
        _ = _buffer.ReserveTail(almostAll);
        _buffer.Commit(almostAll);
        Assert.That(_buffer.ExpectedRoom, Is.EqualTo(10));

        var tail = _buffer.ReserveTail(Step);

        tail[Step - 1] = 1;
        Assert.That(_buffer.TailRoom, Is.GreaterThanOrEqualTo(Step));
        Assert.That(*_buffer.Start, Is.EqualTo(7));
    }
}
