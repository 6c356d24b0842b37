using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Bitmaps;

/// <summary>GETBIT key offset</summary>
internal static class GetBit
{
    public static readonly CommandRow Row = new("getbit", 3,
        CommandFlags.ReadOnly | CommandFlags.Fast | CommandFlags.LeaseFree,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Bitmap,
        Categories = AclCategories.Bitmap,
        Since = "2.2.0",
        Summary = "Gives a bit of a string; beyond the end they are 0.",
        Complexity = "O(1)",
        Syntax = "key offset",
    };

    private static void Execute(CommandContext context)
    {
        if (!BitOffset.TryRead(context, 2, out var offset))
        {
            return;
        }

        if (context.ReadString(context.Key, out var record) == Lookup.WrongType)
        {
            context.Reply.Error(Errors.WrongType);
            return;
        }

        var index = offset >> 3;
        var isSet = index < record.ValueLength && (record.Value[(int)index] & (0x80 >> (int)(offset & 7))) != 0;
        context.Reply.Integer(isSet ? 1 : 0);
    }
}
