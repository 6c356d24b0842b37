using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Strings;

/// <summary>GET key</summary>
internal static class Get
{
    public static readonly CommandRow Row = new("get", 2,
        CommandFlags.ReadOnly | CommandFlags.Fast | CommandFlags.LeaseFree,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.String,
        Categories = AclCategories.String,
        Since = "1.0.0",
        Summary = "Gives a string's value.",
        Complexity = "O(1)",
        Syntax = "key",
    };

    private static void Execute(CommandContext context)
    {
        if (StringPass.GoesOn(context))
        {
            return;
        }

        switch (context.ReadString(context.Key, out var record))
        {
            case Lookup.Found when context.TryLend(record):
                break;
            case Lookup.Found when record.ValueLength < StringReplyPass.LeastBytes:
                context.Reply.Bulk(record.Value);
                break;
            case Lookup.Found:
                StringReplyPass.Answer(context, record, 0, record.ValueLength);
                break;
            case Lookup.WrongType:
                context.Reply.Error(Errors.WrongType);
                break;
            default:
                context.Reply.Null();
                break;
        }
    }
}
