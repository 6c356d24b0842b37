using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Geo;

/// <summary>GEOSEARCH key &lt;FROMMEMBER member|FROMLONLAT longitude latitude&gt; &lt;BYRADIUS radius
/// &lt;M|KM|FT|MI&gt;|BYBOX width height &lt;M|KM|FT|MI&gt;&gt; [ASC|DESC] [COUNT count [ANY]] [WITHCOORD]
/// [WITHDIST] [WITHHASH]</summary>
internal static class GeoSearch
{
    public static readonly CommandRow Row = new("geosearch", -7,
        CommandFlags.ReadOnly | CommandFlags.Heavy,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access),
        static context => GeoSearching.Execute(context, GeoForm.Words))
    {
        Group = CommandGroup.Geo,
        Categories = AclCategories.Geo,
        Since = "6.2.0",
        Summary = "Gives members that lie in a circle or a box.",
        Complexity = "O(N+log(M)) for N members in the cells around the shape, of M in the sorted set",
        Syntax = "key <FROMMEMBER member|FROMLONLAT longitude latitude> <BYRADIUS radius "
            + "<M|KM|FT|MI>|BYBOX width height <M|KM|FT|MI>> [ASC|DESC] [COUNT count [ANY]] "
            + "[WITHCOORD] [WITHDIST] [WITHHASH]",
    };
}
