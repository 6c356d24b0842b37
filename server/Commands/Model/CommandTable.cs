using System.Numerics;
using System.Runtime.CompilerServices;
using System.Text;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Model;

/// <summary>Finds a row by the verb's bytes, whatever their case, without making a string: the first and the last eight
/// bytes as two integers.</summary>
public sealed class CommandTable
{
    private const ulong LowerCaseBits = 0x2020202020202020UL;

    private readonly CommandRow[] _rows;
    private readonly Slot[] _slots;

    /// <summary>A table of these rows.</summary>
    /// <exception cref="ArgumentException">Two rows have the same name.</exception>
    public CommandTable(params CommandRow[] rows)
    {
        _rows = rows;
        _slots = new Slot[BitOperations.RoundUpToPowerOf2((uint)rows.Length * 4)];
        foreach (var row in rows)
        {
            var verb = Encoding.ASCII.GetBytes(row.Name);
            if (Find(verb) != null)
            {
                throw new ArgumentException($"two rows are named '{row.Name}'", nameof(rows));
            }

            Hash(verb, out var head, out var tail);
            var i = SlotOf(head, tail, verb.Length);
            while (_slots[i].Row != null)
            {
                i = (i + 1) & (_slots.Length - 1);
            }

            _slots[i] = new Slot(head, tail, verb, row);
        }
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

        Hash(verb, out var head, out var tail);
        for (var i = SlotOf(head, tail, verb.Length); _slots[i].Row != null; i = (i + 1) & (_slots.Length - 1))
        {
            ref readonly var slot = ref _slots[i];
            if (slot.Head == head && slot.Tail == tail && Ascii.EqualsIgnoreCase(verb, slot.Verb))
            {
                return slot.Row;
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

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Hash(ReadOnlySpan<byte> verb, out ulong head, out ulong tail)
    {
        ref var first = ref Unsafe.AsRef(in verb[0]);
        if (verb.Length >= 8)
        {
            head = Unsafe.ReadUnaligned<ulong>(ref first) | LowerCaseBits;
            tail = Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref first, verb.Length - 8)) | LowerCaseBits;
            return;
        }

        head = 0;
        foreach (var c in verb)
        {
            head = (head << 8) | c;
        }

        head |= LowerCaseBits;
        tail = 0;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int SlotOf(ulong head, ulong tail, int length)
        => (int)((((head ^ (tail * 3)) * 0x9E3779B97F4A7C15UL) + (uint)length) >> 40) & (_slots.Length - 1);

    private readonly record struct Slot(ulong Head, ulong Tail, byte[] Verb, CommandRow Row);
}
