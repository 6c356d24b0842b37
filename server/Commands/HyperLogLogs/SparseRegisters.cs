using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

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

    /// <summary>How many codes of one byte are gone over together.</summary>
    private const int CodesAtOnce = 16;

    /// <summary>The most codes that one becomes.</summary>
    private const int MaxPartBytes = 5;

    private readonly Span<byte> _buffer;

    /// <summary>A code, with the first register that it stands for, before the one that is before the code found last:
    /// so the code before is known of what is found from there on.</summary>
    private int _at;
    private int _first;

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
        var at = 0;
        while (at < codes.Length)
        {
            if (TryPassMany(codes, at, index, out _, out var registers))
            {
                at += CodesAtOnce;
                index -= registers;
                continue;
            }

            // The register is one of the next codes', or one of these has two bytes.
            for (var end = Math.Min(at + CodesAtOnce, codes.Length); at < end;)
            {
                var code = SparseCode.Read(codes, at);
                if (index < code.Run)
                {
                    return code.Value;
                }

                index -= code.Run;
                at += code.Bytes;
            }
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

        if (!TryFind(index, out var place))
        {
            return RegisterChange.Corrupt;
        }

        if (place.Code.Value >= rank)
        {
            return RegisterChange.None;
        }

        if (!TryReplace(place.At, place.Code, index - place.First, rank, maxBytes))
        {
            return RegisterChange.NeedsDense;
        }

        Merge(Math.Max(place.Before, 0));
        return RegisterChange.Raised;
    }

    /// <summary>Finds the code that stands for a register.</summary>
    /// <returns>Whether there is a whole one.</returns>
    private bool TryFind(int index, out CodePlace place)
    {
        if (index < _first)
        {
            (_at, _first) = (0, 0);
        }

        place = new(_at, _first, Before: -1, BeforeFirst: 0);
        var nextSkip = 0;
        while (place.At < Length)
        {
            if (place.At >= nextSkip && !TrySkip(index, ref place))
            {
                nextSkip = place.At + CodesAtOnce;
            }

            var code = SparseCode.Read(Codes, place.At);
            if (index < place.First + code.Run && (place.Before >= 0 || place.At == 0))
            {
                place = place with { Code = code };
                return place.At + code.Bytes <= Length;
            }

            if (index < place.First + code.Run)
            {
                // The code that was passed last has become one with those behind it. Which is before it?
                (_at, _first) = (0, 0);
                place = new(At: 0, First: 0, Before: -1, BeforeFirst: 0);
                continue;
            }

            if (place.Before >= 0)
            {
                (_at, _first) = (place.Before, place.BeforeFirst);
            }

            place = new(place.At + code.Bytes, place.First + code.Run, place.At, place.First);
        }

        return false;
    }

    /// <summary>Goes over codes of one byte, many at a time, as long as the register is none of theirs.</summary>
    /// <returns>Whether any were.</returns>
    private bool TrySkip(int index, ref CodePlace place)
    {
        var start = place.At;
        while (TryPassMany(Codes, place.At, index - place.First, out var runs, out var registers))
        {
            var last = runs.GetElement(CodesAtOnce - 1);
            var behind = place.First + registers;
            _at = place.At + CodesAtOnce - 2;
            _first = behind - last - runs.GetElement(CodesAtOnce - 2);
            place = new(place.At + CodesAtOnce, behind, place.At + CodesAtOnce - 1, behind - last);
        }

        return place.At > start;
    }

    /// <summary>Looks at the next codes together.</summary>
    /// <param name="codes">All codes.</param>
    /// <param name="at">The first of those.</param>
    /// <param name="index">The register that is looked for, counted from the first that they stand for.</param>
    /// <param name="runs">How many registers each stands for.</param>
    /// <param name="registers">How many all stand for.</param>
    /// <returns>Whether each has one byte, and none stands for the register.</returns>
    private static bool TryPassMany(
        ReadOnlySpan<byte> codes, int at, int index, out Vector128<byte> runs, out int registers)
    {
        if (codes.Length - at >= CodesAtOnce)
        {
            var some = Vector128.LoadUnsafe(ref MemoryMarshal.GetReference(codes), (nuint)at);
            var isValue = Vector128.GreaterThanOrEqual(some, Vector128.Create((byte)0x80));
            runs = Vector128<byte>.One + (some & Vector128.ConditionalSelect(
                isValue, Vector128.Create((byte)(SparseCode.MaxValueRun - 1)), Vector128.Create((byte)0x3f)));
            var (lower, upper) = Vector128.Widen(runs);
            registers = Vector128.Sum(lower + upper);
            return index >= registers
                && !Vector128.EqualsAny(some & Vector128.Create((byte)0xc0), Vector128.Create((byte)0x40));
        }

        (runs, registers) = (default, 0);
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

    /// <summary>Where a code stands.</summary>
    /// <param name="At">Its first byte.</param>
    /// <param name="First">The first register that it stands for.</param>
    /// <param name="Before">The first byte of the code before it, or -1.</param>
    /// <param name="BeforeFirst">The first register of that.</param>
    private readonly record struct CodePlace(int At, int First, int Before, int BeforeFirst)
    {
        public SparseCode Code { get; init; }
    }
}
