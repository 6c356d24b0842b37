namespace Strata.Server.Commands.Streams;

/// <summary>What of a new entry's id was given.</summary>
internal enum NewIdForm : byte
{
    /// <summary>All of it.</summary>
    Whole,

    /// <summary>Its milliseconds: <c>ms-*</c>.</summary>
    AutomaticSequence,

    /// <summary>Nothing: <c>*</c>.</summary>
    Automatic,
}
