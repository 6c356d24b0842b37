using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Strings;

/// <summary>PSETEX key milliseconds value</summary>
internal static class PSetEx
{
    public static readonly CommandRow Row = new("psetex", 4, CommandFlags.Write | CommandFlags.DenyOom,
        KeySpec.One(KeyAccess.Overwrite | KeyAccess.Update), static context => SetEx.Execute(context, inSeconds: false))
    {
        Group = CommandGroup.String,
        Categories = AclCategories.String,
        Since = "2.6.0",
        DeprecatedSince = "2.6.12",
        ReplacedBy = "`SET` with the `PX` argument",
        Summary = "Makes a key a string with a value and a time to live in milliseconds.",
        Complexity = "O(1)",
        Syntax = "key milliseconds value",
    };
}
