using Strata.Server.Commands.Model;
using Strata.Server.Commands.SortedSets;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Geo;

/// <summary>GEOHASH key [member [member ...]]</summary>
internal static class GeoHash
{
    private const int TextBytes = 11;
    private const int DigitBits = 5;

    public static readonly CommandRow Row = new("geohash", -2, CommandFlags.ReadOnly,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Geo,
        Categories = AclCategories.Geo,
        Since = "3.2.0",
        Summary = "Gives the geohashes of members.",
        Complexity = "O(1) for each member",
        Syntax = "key [member [member ...]]",
    };

    private static ReadOnlySpan<byte> Digits => "0123456789bcdefghjkmnpqrstuvwxyz"u8;

    private static readonly ScoreAnswers s_answers = new(
        static (reply, score) => Answer(reply, GeoPoint.OfScore(score)),
        static reply => reply.Null());

    private static void Execute(CommandContext context) => s_answers.Execute(context);

    /// <summary>Answers a place's cell of the whole earth, poles and all: that of Redis's scores is of its own map.
    /// Their 52 bits are ten digits and a part of one; that one is a zero.</summary>
    private static void Answer(ReplyWriter reply, GeoPoint place)
    {
        const int Bits = 2 * GeoCell.MaxSteps;
        var cell = GeoCell.Of(place, GeoCell.MaxSteps, GeoArea.Earth);
        Span<byte> text = stackalloc byte[TextBytes];
        for (var i = 0; i < TextBytes - 1; i++)
        {
            text[i] = Digits[(int)(cell.Bits >> (Bits - ((i + 1) * DigitBits))) & (Digits.Length - 1)];
        }

        text[^1] = Digits[0];
        reply.Bulk(text);
    }
}
