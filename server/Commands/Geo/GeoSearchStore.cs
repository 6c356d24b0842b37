using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Geo;

/// <summary>GEOSEARCHSTORE destination source &lt;FROMMEMBER member|FROMLONLAT longitude latitude&gt; &lt;BYRADIUS
/// radius &lt;M|KM|FT|MI&gt;|BYBOX width height &lt;M|KM|FT|MI&gt;&gt; [ASC|DESC] [COUNT count [ANY]] [STOREDIST]
/// </summary>
internal static class GeoSearchStore
{
    public static readonly CommandRow Row = new("geosearchstore", -8,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Heavy,
        KeySpec.One(KeyAccess.Overwrite | KeyAccess.Update),
        static context => GeoSearching.Execute(context, GeoForm.WordsToStore))
    {
        SecondKeys = new KeySpec(2, 2, 1, KeyAccess.ReadOnly | KeyAccess.Access),
        Group = CommandGroup.Geo,
        Categories = AclCategories.Geo,
        Since = "6.2.0",
        Summary = "Stores members that lie in a circle or a box.",
        Complexity = "O(N+log(M)) for N members in the cells around the shape, of M in the sorted set",
        Syntax = "destination source <FROMMEMBER member|FROMLONLAT longitude latitude> <BYRADIUS "
            + "radius <M|KM|FT|MI>|BYBOX width height <M|KM|FT|MI>> [ASC|DESC] [COUNT count [ANY]] "
            + "[STOREDIST]",
    };
}
