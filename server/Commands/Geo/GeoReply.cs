using System.Globalization;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Geo;

/// <summary>Numbers in replies, with the digits that Redis gives them.</summary>
internal static class GeoReply
{
    private const int MaxBytes = 40;

    /// <summary>A length with four digits behind the point.</summary>
    public static void Distance(ReplyWriter reply, double value)
    {
        // Rounded as an integer, the halves to even ones.
        var scaled = Math.Round(value * 10_000, MidpointRounding.ToEven);
        var number = scaled >= long.MaxValue ? long.MinValue : (long)scaled;
        Span<byte> text = stackalloc byte[MaxBytes];
        _ = (number / 10_000m).TryFormat(text, out var length, "F4", CultureInfo.InvariantCulture);
        reply.Bulk(text[..length]);
    }

    /// <summary>Longitude and latitude.</summary>
    public static void Place(ReplyWriter reply, GeoPoint place)
    {
        reply.Array(2);
        Coordinate(reply, place.Longitude);
        Coordinate(reply, place.Latitude);
    }

    /// <summary>Up to 17 digits behind the point, without the zeros at the end.</summary>
    private static void Coordinate(ReplyWriter reply, double value)
    {
        Span<byte> buffer = stackalloc byte[MaxBytes];
        _ = value.TryFormat(buffer, out var length, "F17", CultureInfo.InvariantCulture);
        ReadOnlySpan<byte> text = buffer[..length].TrimEnd((byte)'0').TrimEnd((byte)'.');
        text = text.SequenceEqual("-0"u8) ? "0"u8 : text;
        if (reply.Protocol < 3)
        {
            reply.Bulk(text);
            return;
        }

        reply.Raw(","u8);
        reply.Raw(text);
        reply.Raw("\r\n"u8);
    }
}
