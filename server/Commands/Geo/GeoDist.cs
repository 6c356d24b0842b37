using Strata.Server.Commands.Model;
using Strata.Server.Commands.SortedSets;

namespace Strata.Server.Commands.Geo;

/// <summary>GEODIST key member1 member2 [M | KM | FT | MI]</summary>
internal static class GeoDist
{
    private const int UnitAt = 4;

    public static readonly CommandRow Row = new("geodist", -4, CommandFlags.ReadOnly,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Geo,
        Categories = AclCategories.Geo,
        Since = "3.2.0",
        Summary = "Gives the distance between two members.",
        Complexity = "O(1)",
        Syntax = "key member1 member2 [M|KM|FT|MI]",
    };

    private static void Execute(CommandContext context)
    {
        var unit = 1.0;
        if (context.Count > UnitAt + 1)
        {
            context.Reply.Error(Errors.Syntax);
            return;
        }

        if (context.Count > UnitAt && !GeoUnit.TryRead(context, UnitAt, out unit))
        {
            return;
        }

        var lookup = SortedSetAccess.Read(context, context.Key, out var set);
        if (lookup == Lookup.Found
            && set.TryGetScore(context.Argument(2), out var first)
            && set.TryGetScore(context.Argument(3), out var second))
        {
            var distance = GeoPoint.Distance(
                GeoPoint.OfScore(first), GeoPoint.OfScore(second));
            GeoReply.Distance(context.Reply, distance / unit);
        }
        else if (lookup != Lookup.WrongType)
        {
            context.Reply.Null();
        }
    }
}
