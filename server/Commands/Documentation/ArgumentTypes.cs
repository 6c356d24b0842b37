using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Documentation;

/// <summary>Tells an argument's type by its name: the rows' syntax uses the same names for the same things.</summary>
internal static class ArgumentTypes
{
    private static readonly HashSet<string> s_integers =
    [
        "bit", "client-id", "count", "cursor", "db", "decrement", "destination-db", "end", "index", "index1", "index2",
        "len", "maxage", "milliseconds", "min-match-len", "ms", "numkeys", "offset", "protover", "samples", "seconds",
        "start", "timeout", "version",
    ];

    public static ArgumentType Of(string name, CommandRow row) => name switch
    {
        "pattern" => ArgumentType.Pattern,
        "unix-time-seconds" or "unix-time-milliseconds" => ArgumentType.UnixTime,
        "increment" when row.Name.EndsWith("float", StringComparison.Ordinal) => ArgumentType.Double,
        "increment" => ArgumentType.Integer,
        _ => s_integers.Contains(name) ? ArgumentType.Integer : ArgumentType.String,
    };

    /// <summary>The word of COMMAND DOCS.</summary>
    public static string Word(ArgumentType type) => type switch
    {
        ArgumentType.Integer => "integer",
        ArgumentType.Double => "double",
        ArgumentType.Key => "key",
        ArgumentType.Pattern => "pattern",
        ArgumentType.UnixTime => "unix-time",
        ArgumentType.PureToken => "pure-token",
        ArgumentType.OneOf => "oneof",
        ArgumentType.Block => "block",
        _ => "string",
    };
}
