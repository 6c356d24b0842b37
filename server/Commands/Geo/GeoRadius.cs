using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Geo;

/// <summary>GEORADIUS key longitude latitude radius &lt;M|KM|FT|MI&gt; [WITHCOORD] [WITHDIST] [WITHHASH] [COUNT
/// count [ANY]] [ASC|DESC] [STORE key|STOREDIST key]</summary>
internal static class GeoRadius
{
    public static readonly CommandRow Row = new("georadius", -6,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.MovableKeys | CommandFlags.Heavy,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access),
        static context => GeoSearching.Execute(context, GeoForm.Place, mayStore: true))
    {
        Group = CommandGroup.Geo,
        Categories = AclCategories.Geo,
        Since = "3.2.0",
        DeprecatedSince = "6.2.0",
        ReplacedBy = "`GEOSEARCH` and `GEOSEARCHSTORE` with the `BYRADIUS` argument",
        Summary = "Gives members within a distance from a place, or stores them.",
        Complexity = "O(N+log(M)) for N members in the cells around the shape, of M in the sorted set",
        Syntax = "key longitude latitude radius <M|KM|FT|MI> [WITHCOORD] [WITHDIST] [WITHHASH] [COUNT "
            + "count [ANY]] [ASC|DESC] [STORE key|STOREDIST key]",
        StoreKey = GeoQuery.FindStore,
        OptionKeys =
        [
            new("STORE", 6, KeyAccess.Overwrite | KeyAccess.Update),
            new("STOREDIST", 6, KeyAccess.Overwrite | KeyAccess.Update),
        ],
    };
}
