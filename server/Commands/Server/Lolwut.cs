using System.Text;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Server.Versions;

namespace Strata.Server.Commands.Server;

/// <summary>LOLWUT [VERSION version] [columns] [rows]</summary>
internal static class Lolwut
{
    public static readonly CommandRow Row = new("lolwut", -1,
        CommandFlags.ReadOnly | CommandFlags.Fast, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "5.0.0",
        IsReport = true,
        Summary = "Draws layers of rock, and tells the version.",
        Differs = "Another drawing, the same for every VERSION.",
        Complexity = "O(N) where N is the number of characters",
        Syntax = "[VERSION version]",
    };

    private const int DefaultColumns = 66;
    private const int DefaultRows = 20;
    private const int MaxColumns = 160;
    private const int MaxRows = 80;

    private static void Execute(CommandContext context)
    {
        var first = 1;
        if (context.Count >= 3 && context.IsWord(1, "version"u8))
        {
            if (!context.TryInteger(2, out _))
            {
                return;
            }

            first = 3; // There is one drawing for all versions.
        }

        if (!TryRead(context, first, DefaultColumns, MaxColumns, out var columns)
            || !TryRead(context, first + 1, DefaultRows, MaxRows, out var rows))
        {
            return;
        }

        var art = StrataArt.Draw(columns, rows, context.Random);
        context.Reply.Verbatim("txt"u8, Encoding.UTF8.GetBytes($"{art}\nStrata ver. {ProductVersion.Text}\n"));
    }

    private static bool TryRead(CommandContext context, int index, int byDefault, int largest, out int value)
    {
        value = byDefault;
        if (index >= context.Count)
        {
            return true;
        }

        if (!context.TryInteger(index, out var number))
        {
            return false;
        }

        value = (int)Math.Clamp(number, 1, largest);
        return true;
    }
}
