namespace Strata.Server.Commands.HyperLogLogs;

/// <summary>A HyperLogLog that is being changed, in memory of whoever changes it, before it becomes the key's value.
/// </summary>
internal ref struct HyperLogLogDraft
{
    /// <summary>Bytes of memory that one may need: with codes as they are while one is replaced.</summary>
    public const int BufferBytes = HyperLogLogFormat.MaxSparseBytes + 8;

    private readonly Span<byte> _buffer;
    private SparseRegisters _sparse;
    private int _denseBytes;

    private HyperLogLogDraft(Span<byte> buffer, int length)
    {
        _buffer = buffer;
        if (HyperLogLogFormat.IsDense(buffer))
        {
            _denseBytes = length;
        }
        else
        {
            _sparse = new(HyperLogLogFormat.RegistersOf(buffer), length - HyperLogLogFormat.HeaderBytes);
        }
    }

    /// <summary>The string by now.</summary>
    public readonly Span<byte> Bytes
        => _buffer[..(IsDense ? _denseBytes : HyperLogLogFormat.HeaderBytes + _sparse.Length)];

    public readonly bool IsDense => _denseBytes > 0;

    /// <summary>An empty one.</summary>
    /// <param name="buffer"><see cref="BufferBytes"/> bytes.</param>
    public static HyperLogLogDraft Empty(Span<byte> buffer)
    {
        HyperLogLogFormat.WriteHeader(buffer, HyperLogLogFormat.Sparse);
        var length = SparseRegisters.WriteZeros(HyperLogLogFormat.RegistersOf(buffer));
        return new(buffer, HyperLogLogFormat.HeaderBytes + length);
    }

    /// <summary>A copy of a HyperLogLog.</summary>
    /// <param name="buffer"><see cref="BufferBytes"/> bytes.</param>
    /// <param name="value">The HyperLogLog.</param>
    /// <param name="draft">The copy.</param>
    /// <returns>Whether it can be one: not with more codes than there are registers.</returns>
    public static bool TryCopy(Span<byte> buffer, ReadOnlySpan<byte> value, out HyperLogLogDraft draft)
    {
        if (value.Length > HyperLogLogFormat.MaxSparseBytes)
        {
            draft = default;
            return false;
        }

        value.CopyTo(buffer);
        draft = new(buffer, value.Length);
        return true;
    }

    /// <summary>Raises a register; where sparse ones do not hold it, they become dense.</summary>
    /// <param name="register">Which.</param>
    /// <param name="rank">1 to 51.</param>
    /// <param name="maxSparseBytes">The most bytes of a string that stays sparse (<c>hll-sparse-max-bytes</c>).</param>
    /// <returns>What became of it; never <see cref="RegisterChange.NeedsDense"/>.</returns>
    public RegisterChange Raise(int register, int rank, long maxSparseBytes)
    {
        if (!IsDense)
        {
            var change = _sparse.Raise(register, rank, maxSparseBytes - HyperLogLogFormat.HeaderBytes);
            if (change != RegisterChange.NeedsDense)
            {
                return change;
            }

            if (!TryMakeDense())
            {
                return RegisterChange.Corrupt;
            }
        }

        var registers = HyperLogLogFormat.RegistersOf(Bytes);
        if (DenseRegisters.Get(registers, register) >= rank)
        {
            return RegisterChange.None;
        }

        DenseRegisters.Set(registers, register, rank);
        return RegisterChange.Raised;
    }

    /// <summary>Makes sparse registers dense.</summary>
    /// <returns>Whether they stand for as many registers as there are; nothing was changed otherwise.</returns>
    public bool TryMakeDense()
    {
        Span<byte> ranks = stackalloc byte[HyperLogLogFormat.Registers];
        ranks.Clear();
        if (!SparseRegisters.TryRaiseIn(HyperLogLogFormat.RegistersOf(Bytes), ranks))
        {
            return false;
        }

        HyperLogLogFormat.SetEncoding(_buffer, HyperLogLogFormat.Dense);
        _denseBytes = HyperLogLogFormat.DenseBytes;
        var registers = HyperLogLogFormat.RegistersOf(Bytes);
        for (var i = 0; i < ranks.Length; i++)
        {
            DenseRegisters.Set(registers, i, ranks[i]);
        }

        return true;
    }
}
