using Strata.Server.Commands.Model;
using Strata.Server.Commands.Strings;
using Strata.Server.Resp;
using Strata.Storage.Changes;
using Strata.Storage.Strings;

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

        if (lastWritten < 0)
        {
            Read(context, steps[..count]);
        }
        else if (StringEdit.TryOpen(context, (int)(lastWritten >> 3) + 1, out var value, out var isGrown))
        {
            Write(context, steps[..count], value, isGrown);
        }
    }

    /// <summary>Takes steps that only read, on the string as it is.</summary>
    private static void Read(CommandContext context, ReadOnlySpan<BitFieldStep> steps)
    {
        if (context.ReadString(context.Key, out var record) == Lookup.WrongType)
        {
            context.Reply.Error(Errors.WrongType);
            return;
        }

        var value = record.IsNull ? default : record.Value;
        context.Reply.Array(steps.Length);
        foreach (ref readonly var step in steps)
        {
            step.Read(context, value);
        }
    }

    /// <summary>Takes steps of which some write, on a string that was made long enough for them.</summary>
    private static void Write(
        CommandContext context, ReadOnlySpan<BitFieldStep> steps, StringEditor edited, bool isGrown)
    {
        context.Reply.Array(steps.Length);
        var isChanged = false;
        foreach (ref readonly var step in steps)
        {
            if (step.Action == BitFieldAction.Get)
            {
                step.Read(context, edited.Value);
            }
            else
            {
                isChanged |= step.Write(context, edited.Value, isGrown);
            }
        }

        if (isChanged)
        {
            edited.End(context.Change(KeyEvent.SetBit));
        }
        else if (isGrown)
        {
            edited.End(context.Change(KeyEvent.Grown)); // All steps failed by their OVERFLOW.
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
