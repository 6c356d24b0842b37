using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Geo;

/// <summary>GEORADIUS_RO key longitude latitude radius &lt;M|KM|FT|MI&gt; [WITHCOORD] [WITHDIST] [WITHHASH] [COUNT
/// count [ANY]] [ASC|DESC]</summary>
internal static class GeoRadiusRo
{
    public static readonly CommandRow Row = new("georadius_ro", -6,
        CommandFlags.ReadOnly | CommandFlags.Heavy,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access),
        static context => GeoSearching.Execute(context, GeoForm.Place))
    {
        Group = CommandGroup.Geo,
        Categories = AclCategories.Geo,
        Since = "3.2.10",
        DeprecatedSince = "6.2.0",
        ReplacedBy = "`GEOSEARCH` with the `BYRADIUS` argument",
        Summary = "Gives members within a distance from a place.",
        Complexity = "O(N+log(M)) for N members in the cells around the shape, of M in the sorted set",
        Syntax = "key longitude latitude radius <M|KM|FT|MI> [WITHCOORD] [WITHDIST] [WITHHASH] [COUNT "
            + "count [ANY]] [ASC|DESC]",
    };
}
