using System.Buffers;
using Strata.Storage.Memory;

namespace Strata.Server.Network.Transport.InProcess;

/// <summary>The shared pool, what is rented from it charged to the budget. Any thread.</summary>
internal sealed class ChargedMemoryPool : MemoryPool<byte>
{
    private readonly MemoryBudget _budget;

    public ChargedMemoryPool(MemoryBudget budget)
    {
        _budget = budget;
    }

    /// <inheritdoc/>
    public override int MaxBufferSize => Shared.MaxBufferSize;

    /// <inheritdoc/>
    public override IMemoryOwner<byte> Rent(int minBufferSize = -1)
        => new ChargedMemory(Shared.Rent(minBufferSize), _budget);

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        // It holds nothing itself.
    }

    private sealed class ChargedMemory : IMemoryOwner<byte>
    {
        private readonly MemoryBudget _budget;
        private IMemoryOwner<byte>? _owner;

        public ChargedMemory(IMemoryOwner<byte> owner, MemoryBudget budget)
        {
            _owner = owner;
            _budget = budget;
            _budget.Charge(owner.Memory.Length);
        }

        /// <inheritdoc/>
        public Memory<byte> Memory => _owner?.Memory ?? throw new ObjectDisposedException(nameof(ChargedMemory));

        /// <inheritdoc/>
        public void Dispose()
        {
            if (Interlocked.Exchange(ref _owner, null) is { } owner)
            {
                _budget.Charge(-owner.Memory.Length);
                owner.Dispose();
            }
        }
    }
}
