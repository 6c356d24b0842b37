using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Geo;

/// <summary>GEORADIUSBYMEMBER_RO key member radius &lt;M|KM|FT|MI&gt; [WITHCOORD] [WITHDIST] [WITHHASH] [COUNT
/// count [ANY]] [ASC|DESC]</summary>
internal static class GeoRadiusByMemberRo
{
    public static readonly CommandRow Row = new("georadiusbymember_ro", -5,
        CommandFlags.ReadOnly | CommandFlags.Heavy,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access),
        static context => GeoSearching.Execute(context, GeoForm.Member))
    {
        Group = CommandGroup.Geo,
        Categories = AclCategories.Geo,
        Since = "3.2.10",
        DeprecatedSince = "6.2.0",
        ReplacedBy = "`GEOSEARCH` with the `BYRADIUS` and `FROMMEMBER` arguments",
        Summary = "Gives members within a distance from another.",
        Complexity = "O(N+log(M)) for N members in the cells around the shape, of M in the sorted set",
        Syntax = "key member radius <M|KM|FT|MI> [WITHCOORD] [WITHDIST] [WITHHASH] [COUNT count [ANY]] "
            + "[ASC|DESC]",
    };
}
