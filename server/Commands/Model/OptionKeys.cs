namespace Strata.Server.Commands.Model;

/// <summary>Keys that an option of a command names, as COMMAND INFO tells of them.</summary>
/// <param name="Word">The word before the key; null where that may be meant by other arguments, or where the names
/// follow from what the command finds, so that nobody can say where they are.</param>
/// <param name="StartsAt">Index of the argument from which on the word may stand; negative counts from the end.</param>
/// <param name="Access">What is done with the key.</param>
internal readonly record struct OptionKeys(string? Word, int StartsAt, KeyAccess Access)
{
    /// <summary>Whether all that follows the word are keys, and not the next alone.</summary>
    public bool AreMany { get; init; }
}
