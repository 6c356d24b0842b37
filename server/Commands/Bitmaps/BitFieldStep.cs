using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Bitmaps;

/// <summary>One step of BITFIELD: a field and what is done to it.</summary>
internal readonly record struct BitFieldStep(
    BitFieldAction Action, BitFieldType Type, long Offset, long Value, BitFieldOverflow Overflow)
{
    /// <summary>Arguments of the shortest step.</summary>
    public const int MinArguments = 3;

    /// <summary>Offset of the field's last bit.</summary>
    public long LastBit => Offset + Type.Width - 1;

    /// <summary>Reads all steps; answers Redis's error when there is one that is wrong.</summary>
    /// <param name="context">The command.</param>
    /// <param name="steps">Gets the steps; room for one in every <see cref="MinArguments"/> arguments.</param>
    /// <param name="count">How many.</param>
    public static bool TryReadAll(CommandContext context, Span<BitFieldStep> steps, out int count)
    {
        count = 0;
        var overflow = BitFieldOverflow.Wrap;
        var index = 2;
        while (index < context.Count)
        {
            if (context.IsWord(index, "overflow"u8) && index + 1 < context.Count)
            {
                if (!TryReadOverflow(context, index + 1, out overflow))
                {
                    return false;
                }

                index += 2;
            }
            else if (!TryRead(context, ref index, overflow, out steps[count++]))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Answers the field.</summary>
    /// <param name="context">The command.</param>
    /// <param name="value">The string; what is behind its end reads as zeros.</param>
    public void Read(CommandContext context, ReadOnlySpan<byte> value)
        => context.Reply.Integer(Type.Get(value, Offset));

    /// <summary>Carries out a step that writes, and answers it.</summary>
    /// <param name="context">The command.</param>
    /// <param name="value">The string, with all of the field.</param>
    /// <param name="isGrown">Whether the command made the string longer: then every write counts as a change.</param>
    /// <returns>Whether the string was changed.</returns>
    public bool Write(CommandContext context, Span<byte> value, bool isGrown)
    {
        var before = Type.Get(value, Offset);
        var isSet = Action == BitFieldAction.Set;
        if (!Type.TryAdd(isSet ? Value : before, isSet ? 0 : Value, Overflow, out var after))
        {
            context.Reply.Null();
            return false;
        }

        Type.Set(value, Offset, after);
        context.Reply.Integer(isSet ? before : after);
        return isGrown || after != before;
    }

    private static bool TryRead(
        CommandContext context, ref int index, BitFieldOverflow overflow, out BitFieldStep step)
    {
        step = default;
        var following = context.Count - index - 1;
        BitFieldAction action;
        if (context.IsWord(index, "get"u8) && following >= 2)
        {
            action = BitFieldAction.Get;
        }
        else if (context.IsWord(index, "set"u8) && following >= 3)
        {
            action = BitFieldAction.Set;
        }
        else if (context.IsWord(index, "incrby"u8) && following >= 3)
        {
            action = BitFieldAction.IncrementBy;
        }
        else
        {
            context.Reply.Error(Errors.Syntax);
            return false;
        }

        var value = 0L;
        if (!BitFieldType.TryRead(context, index + 1, out var type)
            || !BitOffset.TryReadField(context, index + 2, type.Width, out var offset)
            || (action != BitFieldAction.Get && !context.TryInteger(index + 3, out value)))
        {
            return false;
        }

        index += action == BitFieldAction.Get ? MinArguments : MinArguments + 1;
        step = new BitFieldStep(action, type, offset, value, overflow);
        return true;
    }

    private static bool TryReadOverflow(CommandContext context, int index, out BitFieldOverflow overflow)
    {
        overflow = context.IsWord(index, "sat"u8) ? BitFieldOverflow.Saturate
            : context.IsWord(index, "fail"u8) ? BitFieldOverflow.Fail
            : BitFieldOverflow.Wrap;
        if (overflow != BitFieldOverflow.Wrap || context.IsWord(index, "wrap"u8))
        {
            return true;
        }

        context.Reply.Error("ERR Invalid OVERFLOW type specified"u8);
        return false;
    }
}
