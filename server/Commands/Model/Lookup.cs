namespace Strata.Server.Commands.Model;

/// <summary>What a look-up of a key of a certain type found.</summary>
public enum Lookup
{
    Missing,
    Found,
    WrongType,
}
