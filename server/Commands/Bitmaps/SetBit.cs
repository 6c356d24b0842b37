using Strata.Server.Commands.Model;
using Strata.Server.Commands.Strings;
using Strata.Server.Resp;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Bitmaps;

/// <summary>SETBIT key offset value</summary>
internal static class SetBit
{
    public static readonly CommandRow Row = new("setbit", 4, CommandFlags.Write | CommandFlags.DenyOom,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.Bitmap,
        Categories = AclCategories.Bitmap,
        Since = "2.2.0",
        Summary = "Sets or clears a bit of a string and gives what it was; the string grows as needed.",
        Complexity = "O(1), or O(N) for N bytes of growth",
        Syntax = "key offset value",
    };

    private static void Execute(CommandContext context)
    {
        if (!BitOffset.TryRead(context, 2, out var offset))
        {
            return;
        }

        if (!NumberParser.TryParseInt64(context.Argument(3), out var value) || value is not (0 or 1))
        {
            context.Reply.Error("ERR bit is not an integer or out of range"u8);
            return;
        }

        var index = (int)(offset >> 3);
        if (StringEdit.TryOpen(context, index + 1, out var edited, out var isGrown))
        {
            ref var target = ref edited.Value[index];
            var mask = (byte)(0x80 >> (int)(offset & 7));
            var before = (target & mask) != 0;
            target = (byte)(value == 1 ? target | mask : target & ~mask);
            if (isGrown || before != (value == 1))
            {
                edited.End(context.Change(KeyEvent.SetBit));
            }

            context.Reply.Integer(before ? 1 : 0);
        }
    }
}
