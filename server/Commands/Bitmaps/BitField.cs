using Strata.Server.Commands.Strings;
using Strata.Server.Notifications;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Bitmaps;

/// <summary>BITFIELD key [GET type offset | [OVERFLOW WRAP | SAT | FAIL] SET type offset value | INCRBY type offset
/// increment ...]</summary>
internal static class BitField
{
    private const int StepsOnStack = 16;
    private const string StepSyntax = "GET encoding offset|[OVERFLOW <WRAP|SAT|FAIL>] "
        + "<SET encoding offset value|INCRBY encoding offset increment>";

    public static readonly CommandRow Row = new("bitfield", -2, CommandFlags.Write | CommandFlags.DenyOom,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Update | KeyAccess.Access | KeyAccess.VariableFlags),
        static context => Execute(context, isReadOnly: false))
    {
        Group = CommandGroup.Bitmap,
        Categories = AclCategories.Bitmap,
        Since = "3.2.0",
        Summary = "Reads and changes integers of any width inside a string.",
        Complexity = "O(1) for each step",
        Syntax = $"key [{StepSyntax} [{StepSyntax} ...]]",
        AccessOf = AccessOf,
    };

    /// <summary>BITFIELD, or BITFIELD_RO, which takes no steps that write.</summary>
    public static void Execute(CommandContext context, bool isReadOnly)
    {
        var most = context.Count / BitFieldStep.MinArguments;
        var steps = most <= StepsOnStack ? stackalloc BitFieldStep[StepsOnStack] : new BitFieldStep[most];
        if (!BitFieldStep.TryReadAll(context, steps, out var count))
        {
            return;
        }

        var lastWritten = -1L;
        foreach (ref readonly var step in steps[..count])
        {
            lastWritten = step.Action == BitFieldAction.Get ? lastWritten : Math.Max(lastWritten, step.LastBit);
        }

        if (isReadOnly && lastWritten >= 0)
        {
            context.Reply.Error("ERR BITFIELD_RO only supports the GET subcommand"u8);
            return;
        }

        if (!TryOpen(context, lastWritten, out var value, out var isGrown))
        {
            return;
        }

        context.Reply.Array(count);
        var isChanged = false;
        foreach (ref readonly var step in steps[..count])
        {
            isChanged |= step.Execute(context, value, isGrown);
        }

        if (isChanged)
        {
            context.Notify(NotificationClasses.String, "setbit"u8, context.Key);
        }
    }

    /// <summary>Gives the key's value: long enough when something is written, as it is when not.</summary>
    private static bool TryOpen(CommandContext context, long lastWritten, out Span<byte> value, out bool isGrown)
    {
        value = default;
        isGrown = false;
        if (lastWritten >= 0)
        {
            var isOpen = StringEdit.TryOpen(context, (int)(lastWritten >> 3) + 1, out var edited, out isGrown);
            value = isOpen ? edited.MutableValue : default;
            return isOpen;
        }

        switch (context.ReadString(context.Key, out var record))
        {
            case Lookup.Found:
                value = record.MutableValue;
                return true;
            case Lookup.WrongType:
                context.Reply.Error(Errors.WrongType);
                return false;
            default:
                return true;
        }
    }

    /// <summary>Steps that only read leave the key as it is.</summary>
    private static KeyAccess AccessOf(Request request)
    {
        for (var i = 2; i < request.Count;)
        {
            var left = request.Count - i - 1;
            if (left >= 2 && NumberParser.IsWord(request[i], "get"u8))
            {
                i += 3;
            }
            else if (left >= 1 && NumberParser.IsWord(request[i], "overflow"u8))
            {
                i += 2;
            }
            else
            {
                // A step that writes, or none at all: what cannot be told is taken for a write, as in Redis.
                return KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Update;
            }
        }

        return KeyAccess.ReadOnly | KeyAccess.Access;
    }
}
