using Strata.Server.Commands.Model;
using Strata.Server.Commands.Strings;

namespace Strata.Server.Commands.Bitmaps;

/// <summary>BITPOS key bit [start [end [BYTE | BIT]]]</summary>
internal static class BitPos
{
    public static readonly CommandRow Row = new("bitpos", -3,
        CommandFlags.ReadOnly | CommandFlags.LeaseFree | CommandFlags.Heavy,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Bitmap,
        Categories = AclCategories.Bitmap,
        Since = "2.8.7",
        Summary = "Finds the first set or clear bit of a string or of a part of it.",
        Complexity = "O(N) for N bytes searched",
        Syntax = "key bit [start [end [BYTE|BIT]]]",
    };

    private static void Execute(CommandContext context)
    {
        if (!context.TryInteger(2, out var bit))
        {
            return;
        }

        if (bit is not (0 or 1))
        {
            context.Reply.Error("ERR The bit argument must be 1 or 0."u8);
            return;
        }

        if (StringPass.GoesOn(context))
        {
            return;
        }

        switch (context.ReadString(context.Key, out var record))
        {
            case Lookup.Missing:
                context.Reply.Integer(bit == 1 ? -1 : 0); // As if it were zeros without end.
                break;
            case Lookup.WrongType:
                context.Reply.Error(Errors.WrongType);
                break;
            default:
                if (TryReadRange(context, record.ValueLength, out var range))
                {
                    var bits = new FirstBit(bit == 1, range, hasEnd: context.Count > 4);
                    BitRangePass.Execute(context, record, range, bits);
                }

                break;
        }
    }

    private static bool TryReadRange(CommandContext context, int lengthBytes, out BitRange range)
    {
        range = default;
        if (context.Count > 6)
        {
            context.Reply.Error(Errors.Syntax);
            return false;
        }

        var start = 0L;
        var end = -1L;
        var unit = BitUnit.Byte;
        if ((context.Count > 3 && !context.TryInteger(3, out start))
            || (context.Count > 5 && !BitRange.TryReadUnit(context, 5, out unit))
            || (context.Count > 4 && !context.TryInteger(4, out end)))
        {
            return false;
        }

        range = BitRange.Of(start, end, unit, lengthBytes);
        return true;
    }

    /// <summary>Looks for the first bit of a value. A string whose end was not given goes on with zeros.</summary>
    private struct FirstBit : IBitScan
    {
        private readonly bool _bit;

        public FirstBit(bool bit, BitRange range, bool hasEnd)
        {
            _bit = bit;
            Result = !bit && !hasEnd && !range.IsEmpty ? range.Last + 1 : -1;
        }

        /// <inheritdoc/>
        public long Result { get; private set; }

        /// <inheritdoc/>
        public bool Passes(ReadOnlySpan<byte> value, BitRange part)
        {
            var offset = BitSpan.IndexOf(value, _bit, part);
            Result = offset < 0 ? Result : offset;
            return offset < 0;
        }
    }
}
