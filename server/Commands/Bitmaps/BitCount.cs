using Strata.Server.Commands.Model;
using Strata.Server.Commands.Strings;

namespace Strata.Server.Commands.Bitmaps;

/// <summary>BITCOUNT key [start end [BYTE | BIT]]</summary>
internal static class BitCount
{
    public static readonly CommandRow Row = new("bitcount", -2,
        CommandFlags.ReadOnly | CommandFlags.LeaseFree | CommandFlags.Heavy,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Bitmap,
        Categories = AclCategories.Bitmap,
        Since = "2.6.0",
        Summary = "Counts the set bits of a string or of a part of it.",
        Complexity = "O(N) for N bytes counted",
        Syntax = "key [start end [BYTE|BIT]]",
    };

    private static void Execute(CommandContext context)
    {
        if (StringPass.GoesOn(context))
        {
            return;
        }

        switch (context.ReadString(context.Key, out var record))
        {
            case Lookup.Missing:
                context.Reply.Integer(0); // Whatever the range says.
                break;
            case Lookup.WrongType:
                context.Reply.Error(Errors.WrongType);
                break;
            default:
                if (TryReadRange(context, record.ValueLength, out var range))
                {
                    BitRangePass.Execute(context, record, range, default(SetBits));
                }

                break;
        }
    }

    private static bool TryReadRange(CommandContext context, int lengthBytes, out BitRange range)
    {
        range = BitRange.Of(0, -1, BitUnit.Byte, lengthBytes);
        if (context.Count == 2)
        {
            return true;
        }

        if (context.Count is not (4 or 5))
        {
            context.Reply.Error(Errors.Syntax);
            return false;
        }

        if (!context.TryInteger(2, out var start) || !context.TryInteger(3, out var end))
        {
            return false;
        }

        if (start < 0 && end < 0 && start > end)
        {
            range = new BitRange(0, -1); // Before the unit is looked at, as in Redis.
            return true;
        }

        var unit = BitUnit.Byte;
        if (context.Count == 5 && !BitRange.TryReadUnit(context, 4, out unit))
        {
            return false;
        }

        range = BitRange.Of(start, end, unit, lengthBytes);
        return true;
    }

    /// <summary>Counts the set bits.</summary>
    private struct SetBits : IBitScan
    {
        /// <inheritdoc/>
        public long Result { get; private set; }

        /// <inheritdoc/>
        public bool Passes(ReadOnlySpan<byte> value, BitRange part)
        {
            Result += BitSpan.Count(value, part);
            return true;
        }
    }
}
