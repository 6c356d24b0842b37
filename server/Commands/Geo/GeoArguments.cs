using System.Globalization;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Geo;

/// <summary>Places and shapes among a command's arguments, with Redis's errors.</summary>
internal static class GeoArguments
{
    /// <summary>Reads a longitude and the latitude behind it.</summary>
    public static bool TryPlace(CommandContext context, int index, out GeoPoint place)
    {
        place = default;
        if (!TryNumber(context, index, Errors.NotFloat, out var longitude)
            || !TryNumber(context, index + 1, Errors.NotFloat, out var latitude))
        {
            return false;
        }

        place = new(longitude, latitude);
        if (!place.IsValid)
        {
            context.Reply.Error($"ERR invalid longitude,latitude pair {Text(longitude)},{Text(latitude)}");
            return false;
        }

        return true;
    }

    /// <summary>Reads the radius of a circle and its unit.</summary>
    public static bool TryCircle(CommandContext context, int index, ref GeoShape shape)
    {
        if (!TryNumber(context, index, "ERR need numeric radius"u8, out var radius))
        {
            return false;
        }

        if (radius < 0)
        {
            context.Reply.Error("ERR radius cannot be negative"u8);
            return false;
        }

        (shape.IsBox, shape.Radius) = (false, radius);
        return GeoUnit.TryRead(context, index + 1, out shape.Unit);
    }

    /// <summary>Reads the width and the height of a box and their unit.</summary>
    public static bool TryBox(CommandContext context, int index, ref GeoShape shape)
    {
        if (!TryNumber(context, index, "ERR need numeric width"u8, out var width)
            || !TryNumber(context, index + 1, "ERR need numeric height"u8, out var height))
        {
            return false;
        }

        if (width < 0 || height < 0)
        {
            context.Reply.Error("ERR height or width cannot be negative"u8);
            return false;
        }

        (shape.IsBox, shape.Width, shape.Height) = (true, width, height);
        return GeoUnit.TryRead(context, index + 2, out shape.Unit);
    }

    private static bool TryNumber(CommandContext context, int index, ReadOnlySpan<byte> error, out double value)
    {
        if (DoubleParser.TryParse(context.Argument(index), out value))
        {
            return true;
        }

        context.Reply.Error(error);
        return false;
    }

    /// <summary>A number as C's %f writes it.</summary>
    private static string Text(double value)
        => double.IsPositiveInfinity(value) ? "inf"
            : double.IsNegativeInfinity(value) ? "-inf"
            : value.ToString("F6", CultureInfo.InvariantCulture);
}
