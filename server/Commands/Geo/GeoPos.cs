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

    private static void Execute(CommandContext context)
    {
        var lookup = SortedSetAccess.Read(context, context.Key, out var set);
        if (lookup == Lookup.WrongType)
        {
            return;
        }

        context.Reply.Array(context.Count - 2);
        for (var i = 2; i < context.Count; i++)
        {
            if (lookup == Lookup.Found && set.TryGetScore(context.Argument(i), out var score))
            {
                GeoReply.Place(context, GeoCell.OfScore(score).Area().Middle);
            }
            else
            {
                context.Reply.NullArray();
            }
        }
    }
}
