namespace Strata.Server.Commands.Documentation;

/// <summary>What an argument is, in the words of COMMAND DOCS.</summary>
public enum ArgumentType
{
    String,
    Integer,
    Double,
    Key,
    Pattern,
    UnixTime,
    PureToken,
    OneOf,
    Block,
}
