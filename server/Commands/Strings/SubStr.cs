using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Strings;

/// <summary>SUBSTR key start end</summary>
internal static class SubStr
{
    public static readonly CommandRow Row = new("substr", 4, CommandFlags.ReadOnly | CommandFlags.LeaseFree,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), GetRange.Execute)
    {
        Group = CommandGroup.String,
        Categories = AclCategories.String,
        Since = "1.0.0",
        DeprecatedSince = "2.0.0",
        ReplacedBy = "`GETRANGE`",
        Summary = "Gives a part of a string: GETRANGE's old name.",
        Complexity = "O(N) for N bytes given",
        Syntax = "key start end",
    };
}
