using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Geo;

/// <summary>GEORADIUSBYMEMBER key member radius &lt;M|KM|FT|MI&gt; [WITHCOORD] [WITHDIST] [WITHHASH] [COUNT count
/// [ANY]] [ASC|DESC] [STORE key|STOREDIST key]</summary>
internal static class GeoRadiusByMember
{
    public static readonly CommandRow Row = new("georadiusbymember", -5,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.MovableKeys | CommandFlags.Heavy,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access),
        static context => GeoSearching.Execute(context, GeoForm.Member, mayStore: true))
    {
        Group = CommandGroup.Geo,
        Categories = AclCategories.Geo,
        Since = "3.2.0",
        DeprecatedSince = "6.2.0",
        ReplacedBy = "`GEOSEARCH` and `GEOSEARCHSTORE` with the `BYRADIUS` and `FROMMEMBER` arguments",
        Summary = "Gives members within a distance from another, or stores them.",
        Complexity = "O(N+log(M)) for N members in the cells around the shape, of M in the sorted set",
        Syntax = "key member radius <M|KM|FT|MI> [WITHCOORD] [WITHDIST] [WITHHASH] [COUNT count [ANY]] "
            + "[ASC|DESC] [STORE key|STOREDIST key]",
        StoreKey = GeoQuery.FindStore,
        OptionKeys =
        [
            new("STORE", 5, KeyAccess.Overwrite | KeyAccess.Update),
            new("STOREDIST", 5, KeyAccess.Overwrite | KeyAccess.Update),
        ],
    };
}
