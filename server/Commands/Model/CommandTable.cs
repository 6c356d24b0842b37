using System.Numerics;
using System.Runtime.CompilerServices;
using System.Text;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Model;

/// <summary>Finds a row by the verb's bytes, whatever their case, without making a string: the first and the last eight
/// bytes as two integers.</summary>
public sealed class CommandTable
{
    private readonly CommandRow[] _rows;
    private readonly Slot[] _slots;

    /// <summary>A table of these rows.</summary>
    /// <exception cref="ArgumentException">Two rows have the same name.</exception>
    public CommandTable(params CommandRow[] rows)
        : this(rows, rows.Length)
    {
        foreach (var row in rows)
        {
            Add(row.Name, row);
        }
    }

    /// <summary>A table of rows by other names than their own.</summary>
    /// <param name="names">Names in lower case, one character a byte, and what they are of.</param>
    public CommandTable(IReadOnlyDictionary<string, CommandRow> names)
        : this([.. names.Values.Distinct()], names.Count)
    {
        foreach (var (name, row) in names)
        {
            Add(name, row);
        }
    }

    private CommandTable(CommandRow[] rows, int names)
    {
        _rows = rows;
        _slots = new Slot[BitOperations.RoundUpToPowerOf2((uint)Math.Max(names, 1) * 4)];
    }

    /// <summary>All rows, in the order they were given.</summary>
    public IReadOnlyList<CommandRow> Rows => _rows;

    /// <summary>One more than the largest <see cref="CommandRow.Index"/> of the rows and their subcommands.</summary>
    public int IndexEnd
    {
        get
        {
            var end = 0;
            foreach (var row in _rows)
            {
                end = Math.Max(end, Math.Max(row.Index + 1, row.Subcommands?.IndexEnd ?? 0));
            }

            return end;
        }
    }

    /// <summary>The row of a verb, or null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public CommandRow? Find(ReadOnlySpan<byte> verb)
    {
        if (verb.IsEmpty)
        {
            return null;
        }

        var ends = VerbEnds.Of(verb);
        var lower = ends.ToLower();
        for (var i = SlotOf(lower, verb.Length); _slots[i].Row != null; i = (i + 1) & (_slots.Length - 1))
        {
            ref readonly var slot = ref _slots[i];
            if (slot.Lower == lower && slot.Verb.Length == verb.Length)
            {
                // Mostly the letters are of one case, and there are no others between the ends.
                var isSame = verb.Length <= VerbEnds.Bytes && (ends == slot.Upper || ends == slot.Exact);
                if (isSame || IsSame(verb, slot.Verb))
                {
                    return slot.Row;
                }
            }
        }

        return null;
    }

    /// <summary>The row of a request's command, of a container the subcommand if one is named; or null.</summary>
    public CommandRow? FindFor(in Request request)
    {
        var row = Find(request[0]);
        return row?.Subcommands != null && request.Count > 1 ? row.Subcommands.Find(request[1]) : row;
    }

    /// <summary>The row of a command or, with a bar between the names ("config|get"), of a subcommand; or null.
    /// </summary>
    public CommandRow? FindByFullName(ReadOnlySpan<byte> name)
    {
        var bar = name.IndexOf((byte)'|');
        return bar < 0 ? Find(name) : Find(name[..bar])?.Subcommands?.Find(name[(bar + 1)..]);
    }

    /// <summary>Whether a verb is a name in lower case; the configuration gives names of any bytes.</summary>
    private static bool IsSame(ReadOnlySpan<byte> verb, ReadOnlySpan<byte> name)
    {
        for (var i = 0; i < name.Length; i++)
        {
            var letter = verb[i];
            if (name[i] != (char.IsAsciiLetterUpper((char)letter) ? letter | 0x20 : letter))
            {
                return false;
            }
        }

        return true;
    }

    private void Add(string name, CommandRow row)
    {
        var verb = Encoding.Latin1.GetBytes(name);
        if (Find(verb) != null)
        {
            throw new ArgumentException($"two rows are named '{name}'", nameof(name));
        }

        var exact = VerbEnds.Of(verb);
        var upper = VerbEnds.Of(Array.ConvertAll(verb, static letter
            => char.IsAsciiLetterLower((char)letter) ? (byte)(letter & ~0x20) : letter));
        var lower = exact.ToLower();
        var i = SlotOf(lower, verb.Length);
        while (_slots[i].Row != null)
        {
            i = (i + 1) & (_slots.Length - 1);
        }

        _slots[i] = new Slot(lower, exact, upper, verb, row);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int SlotOf(in VerbEnds lower, int length)
        => (int)((((lower.Head ^ (lower.Tail * 3)) * 0x9E3779B97F4A7C15UL) + (uint)length) >> 40)
            & (_slots.Length - 1);

    private readonly record struct Slot(VerbEnds Lower, VerbEnds Exact, VerbEnds Upper, byte[] Verb, CommandRow Row);

    /// <summary>The first and the last bytes of a verb, which overlap where it is short.</summary>
    private readonly record struct VerbEnds(ulong Head, ulong Tail)
    {
        /// <summary>A verb of so many bytes has no others.</summary>
        public const int Bytes = 2 * sizeof(ulong);

        private const ulong LowerCaseBits = 0x2020202020202020UL;

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public static VerbEnds Of(ReadOnlySpan<byte> verb)
        {
            ref var first = ref Unsafe.AsRef(in verb[0]);
            var length = verb.Length;
            if (length >= sizeof(ulong))
            {
                return new(Read<ulong>(ref first, 0), Read<ulong>(ref first, length - sizeof(ulong)));
            }

            return length >= sizeof(uint)
                ? new(Read<uint>(ref first, 0), Read<uint>(ref first, length - sizeof(uint)))
                : new(first, ((ulong)Unsafe.Add(ref first, length >> 1) << 8) | Unsafe.Add(ref first, length - 1));
        }

        /// <summary>The same of the verb in lower case, if it is made of letters; else of others, too.</summary>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public VerbEnds ToLower() => new(Head | LowerCaseBits, Tail | LowerCaseBits);

        private static T Read<T>(ref byte start, int offset)
            => Unsafe.ReadUnaligned<T>(ref Unsafe.Add(ref start, offset));
    }
}
