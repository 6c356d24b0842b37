namespace Strata.Server.Commands.HyperLogLogs;

/// <summary>
/// Registers as runs of equal ones (<see cref="SparseCode"/>), in memory that belongs to whoever changes them. They are
/// changed by the same steps as in Redis, so that the bytes are the same. Registers that are raised in ascending order
/// are found without going through the codes from the start again.
/// </summary>
internal ref struct SparseRegisters
{
    /// <summary>How many codes are looked at for neighbours that can be one, from the code before the changed one on.
    /// </summary>
    private const int MergedCodes = 5;

    /// <summary>The most codes that one becomes.</summary>
    private const int MaxPartBytes = 5;

    private readonly Span<byte> _buffer;

    /// <summary>A code before the one that was found last, from which later registers are looked for.</summary>
    private SparsePlace _from;

    /// <summary>Takes registers.</summary>
    /// <param name="buffer">Their memory, with room behind them.</param>
    /// <param name="length">Bytes of their codes.</param>
    public SparseRegisters(Span<byte> buffer, int length)
    {
        _buffer = buffer;
        Length = length;
    }

    /// <summary>Bytes of the codes.</summary>
    public int Length { get; private set; }

    private readonly ReadOnlySpan<byte> Codes => _buffer[..Length];

    /// <summary>Adds how many registers have which value.</summary>
    /// <returns>Whether the codes stand for as many registers as there are.</returns>
    public static bool TryCount(ReadOnlySpan<byte> codes, Span<int> histogram)
    {
        var registers = 0L;
        for (var at = 0; at < codes.Length;)
        {
            var code = SparseCode.Read(codes, at);
            registers += code.Run;
            if (registers > HyperLogLogFormat.Registers)
            {
                return false;
            }

            histogram[code.Value] += code.Run;
            at += code.Bytes;
        }

        return registers == HyperLogLogFormat.Registers;
    }

    /// <summary>Raises ranks, a byte each, to those of the registers.</summary>
    /// <returns>Whether the codes stand for as many registers as there are.</returns>
    public static bool TryRaiseIn(ReadOnlySpan<byte> codes, Span<byte> ranks)
    {
        var index = 0;
        for (var at = 0; at < codes.Length;)
        {
            var code = SparseCode.Read(codes, at);
            if (code.Run > ranks.Length - index)
            {
                return false;
            }

            foreach (ref var rank in ranks.Slice(index, code.IsZero ? 0 : code.Run))
            {
                rank = Math.Max(rank, (byte)code.Value);
            }

            index += code.Run;
            at += code.Bytes;
        }

        return index == ranks.Length;
    }

    /// <summary>The value of a register; 0 also where no code stands for it.</summary>
    public static int ValueOf(ReadOnlySpan<byte> codes, int index)
    {
        var place = SparseBlocks.Pass(codes, from: default, index, out _);
        while (place.At < codes.Length)
        {
            var code = SparseCode.Read(codes, place.At);
            if (index < place.First + code.Run)
            {
                return code.Value;
            }

            place = place.Behind(code);
        }

        return 0;
    }

    /// <summary>Writes the codes of registers that are all zero.</summary>
    /// <returns>Their bytes.</returns>
    public static int WriteZeros(Span<byte> target) => SparseCode.Write(target, value: 0, HyperLogLogFormat.Registers);

    /// <summary>Raises a register to a rank.</summary>
    /// <param name="index">Which.</param>
    /// <param name="rank">1 to 51.</param>
    /// <param name="maxBytes">The most bytes that the codes may take if they become more.</param>
    public RegisterChange Raise(int index, int rank, long maxBytes)
    {
        if (rank > SparseCode.MaxValue)
        {
            return RegisterChange.NeedsDense;
        }

        if (!TryFind(index, out var place, out var before))
        {
            return RegisterChange.Corrupt;
        }

        var code = SparseCode.Read(Codes, place.At);
        if (code.Value >= rank)
        {
            return RegisterChange.None;
        }

        if (!TryReplace(place.At, code, index - place.First, rank, maxBytes))
        {
            return RegisterChange.NeedsDense;
        }

        Merge(before);
        return RegisterChange.Raised;
    }

    /// <summary>Finds the code that stands for a register.</summary>
    /// <param name="index">The register.</param>
    /// <param name="place">The code.</param>
    /// <param name="before">The first byte of the code before it; of the first code, its own.</param>
    /// <returns>Whether there is a whole one.</returns>
    private bool TryFind(int index, out SparsePlace place, out int before)
    {
        _from = index < _from.First ? default : _from;
        _ = SparseBlocks.Pass(Codes, _from, index, out _from);
        place = _from;
        before = place.At;
        while (place.At < Length)
        {
            var code = SparseCode.Read(Codes, place.At);
            if (index < place.First + code.Run)
            {
                if (place.At > 0 && place == _from)
                {
                    // It has become one with those behind it since. Which is before it?
                    _from = default;
                    return TryFind(index, out place, out before);
                }

                return place.At + code.Bytes <= Length;
            }

            before = place.At;
            place = place.Behind(code);
        }

        return false;
    }

    /// <summary>Puts up to three codes in the place of one, so that one of its registers has another value.</summary>
    private bool TryReplace(int at, SparseCode code, int index, int rank, long maxBytes)
    {
        Span<byte> parts = stackalloc byte[MaxPartBytes];
        var length = index > 0 ? SparseCode.Write(parts, code.Value, index) : 0;
        length += SparseCode.Write(parts[length..], rank, run: 1);
        if (index < code.Run - 1)
        {
            length += SparseCode.Write(parts[length..], code.Value, code.Run - 1 - index);
        }

        var added = length - code.Bytes;
        if (added > 0 && Length + added > maxBytes)
        {
            return false;
        }

        _buffer[(at + code.Bytes)..Length].CopyTo(_buffer[(at + length)..]);
        parts[..length].CopyTo(_buffer[at..]);
        Length += added;
        return true;
    }

    /// <summary>Makes neighbouring codes of the same value one, if one can be.</summary>
    private void Merge(int at)
    {
        for (var i = 0; i < MergedCodes && at < Length; i++)
        {
            var code = SparseCode.Read(Codes, at);
            if (!code.IsZero && at + 1 < Length)
            {
                var next = SparseCode.Read(Codes, at + 1);
                if (next.Value == code.Value && code.Run + next.Run <= SparseCode.MaxValueRun)
                {
                    _ = SparseCode.Write(_buffer[at..], code.Value, code.Run + next.Run);
                    _buffer[(at + 2)..Length].CopyTo(_buffer[(at + 1)..]);
                    Length--;
                    continue;
                }
            }

            at += code.Bytes;
        }
    }
}
