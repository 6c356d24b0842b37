using Strata.Server.Commands.Model;
using Strata.Storage.Changes;
using Strata.Storage.Strings;

namespace Strata.Server.Commands.Strings;

/// <summary>APPEND key value</summary>
internal static class Append
{
    public static readonly CommandRow Row = new("append", 3,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Insert), Execute)
    {
        Group = CommandGroup.String,
        Categories = AclCategories.String,
        Since = "2.0.0",
        Summary = "Adds to the end of a string; a missing key becomes one.",
        Complexity = "O(N) for N bytes added, amortized: a string that grows is given room to grow",
        Syntax = "key value",
    };

    private static void Execute(CommandContext context)
    {
        var added = context.Argument(2);
        switch (context.WriteString(context.Key, out var record))
        {
            case Lookup.WrongType:
                context.Reply.Error(Errors.WrongType);
                break;
            case Lookup.Missing:
                _ = context.PutString(context.Key, record, added, expiryMs: -1, KeyEvent.Append);
                context.Reply.Integer(added.Length);
                break;
            default:
                var length = record.ValueLength;
                if (StringLimits.Allows(context, length, added.Length))
                {
                    var value = new StringEditor(context.Shard, context.Key, record);
                    value.Resize(length + added.Length, written: added.Length);
                    context.TakeArgument(2, value.Value[length..]);
                    value.End(context.Change(KeyEvent.Append));
                    context.Reply.Integer(value.Value.Length);
                }

                break;
        }
    }
}
