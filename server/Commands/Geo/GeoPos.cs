using Strata.Server.Commands.Model;
using Strata.Server.Commands.SortedSets;

namespace Strata.Server.Commands.Geo;

/// <summary>GEOPOS key [member [member ...]]</summary>
internal static class GeoPos
{
    public static readonly CommandRow Row = new("geopos", -2, CommandFlags.ReadOnly,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Geo,
        Categories = AclCategories.Geo,
        Since = "3.2.0",
        Summary = "Gives the longitude and the latitude of members.",
        Complexity = "O(1) for each member",
        Syntax = "key [member [member ...]]",
    };

    private static readonly ScoreAnswers s_answers = new(
        static (reply, score) => GeoReply.Place(reply, GeoPoint.OfScore(score)),
        static reply => reply.NullArray());

    private static void Execute(CommandContext context) => s_answers.Execute(context);
}
