namespace Strata.Server.Options.Syntax;

/// <summary>
/// How the values of a key are read, checked and written. Every value is held as one text, the one CONFIG GET prints
/// (sizes in bytes, lists joined by one blank), so that equal values are equal texts.
/// </summary>
public interface IValueSyntax
{
    /// <summary>
    /// Whether a value may be several words; otherwise any other number of them than one is an error.
    /// </summary>
    bool TakesSeveralWords { get; }

    /// <summary>What a value looks like, for help and documentation.</summary>
    string Form { get; }

    /// <summary>Reads a value.</summary>
    /// <param name="words">The words given, without quotes.</param>
    /// <param name="current">The text in force, which a partial value adds to; empty before there is one.</param>
    /// <param name="text">The text to hold, when it is right.</param>
    /// <param name="error">What is wrong, in Redis's words where it has some; otherwise empty.</param>
    bool TryRead(IReadOnlyList<string> words, string current, out string text, out string error);

    /// <summary>
    /// The value of each line that sets this text in a conf file, always the same number of lines for a key.
    /// </summary>
    IReadOnlyList<string> Write(string text);
}
