using Strata.Server.Commands.Model;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Strings;

/// <summary>SETRANGE key offset value</summary>
internal static class SetRange
{
    public static readonly CommandRow Row = new("setrange", 4, CommandFlags.Write | CommandFlags.DenyOom,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.String,
        Categories = AclCategories.String,
        Since = "2.2.0",
        Summary = "Overwrites a part of a string; what is missing before it becomes zeros.",
        Complexity = "O(N) for N bytes written, those before the offset included when they are missing",
        Syntax = "key offset value",
    };

    private static void Execute(CommandContext context)
    {
        if (!context.TryInteger(2, out var offset))
        {
            return;
        }

        if (offset < 0)
        {
            context.Reply.Error("ERR offset is out of range"u8);
            return;
        }

        var lookup = context.WriteString(context.Key, out var existing);
        var value = context.Argument(3);
        if (lookup == Lookup.WrongType)
        {
            context.Reply.Error(Errors.WrongType);
        }
        else if (value.IsEmpty)
        {
            context.Reply.Integer(existing.ValueLength); // Nothing is written, and a missing key stays so.
        }
        else if (StringLimits.Allows(context, offset, value.Length)
            && StringEdit.TryOpen(context, (int)offset + value.Length, out var edited, out _, value.Length))
        {
            context.TakeArgument(3, edited.Value[(int)offset..]);
            edited.End(context.Change(KeyEvent.SetRange));
            context.Reply.Integer(edited.Value.Length);
        }
    }
}
