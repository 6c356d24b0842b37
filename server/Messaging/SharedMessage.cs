using Strata.Storage.Memory;

namespace Strata.Server.Messaging;

/// <summary>A long message, with its channel's name before it, in memory that the mailboxes of several workers share,
/// charged to the budget. It goes with the last who gives it back; any thread. Whoever holds one in a place of its own
/// has retained it.</summary>
internal readonly unsafe struct SharedMessage
{
    private const int CountBytes = 8;

    private readonly NativeBlock _block;

    /// <summary>Copies a message, and retains it once.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory.</exception>
    public SharedMessage(MemoryBudget budget, ReadOnlySpan<byte> channel, ReadOnlySpan<byte> message)
    {
        _block = budget.Buffers.Allocate(CountBytes + (long)channel.Length + message.Length, fits: true);
        budget.Charge(_block.Bytes);
        *(int*)_block.Start = 1;
        channel.CopyTo(new Span<byte>(Start, channel.Length));
        message.CopyTo(new Span<byte>(Start + channel.Length, message.Length));
    }

    /// <summary>Whether there is none.</summary>
    public bool IsNone => _block.Start == null;

    /// <summary>The channel's name, which the message follows.</summary>
    public byte* Start => _block.Start + CountBytes;

    /// <summary>It is held in one more place.</summary>
    public void Retain()
    {
        if (!IsNone)
        {
            _ = Interlocked.Increment(ref *(int*)_block.Start);
        }
    }

    /// <summary>It is held in one place less.</summary>
    public void Release(MemoryBudget budget)
    {
        if (!IsNone && Interlocked.Decrement(ref *(int*)_block.Start) == 0)
        {
            budget.Charge(-_block.Bytes);
            budget.Buffers.Free(_block);
        }
    }
}
