using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Geo;

/// <summary>The units of length that clients use.</summary>
internal static class GeoUnit
{
    /// <summary>Reads a unit; answers Redis's error where it is none.</summary>
    /// <param name="context">The command.</param>
    /// <param name="index">The argument's.</param>
    /// <param name="metres">Metres of one unit.</param>
    public static bool TryRead(CommandContext context, int index, out double metres)
    {
        metres = context.IsWord(index, "m"u8) ? 1
            : context.IsWord(index, "km"u8) ? 1000
            : context.IsWord(index, "ft"u8) ? 0.3048
            : context.IsWord(index, "mi"u8) ? 1609.34
            : 0;
        if (metres > 0)
        {
            return true;
        }

        context.Reply.Error("ERR unsupported unit provided. please use M, KM, FT, MI"u8);
        return false;
    }
}
