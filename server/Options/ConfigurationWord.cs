using Strata.Server.Options.Syntax;

namespace Strata.Server.Options;

/// <summary>
/// A word of the configuration as CONFIG GET and SET know it: a key of the server's own, or one of Redis's without
/// effect here. Compared by identity.
/// </summary>
/// <param name="name">The name in redis.conf's spelling, in lower case.</param>
/// <param name="syntax">How its values are read, checked and written.</param>
public abstract class ConfigurationWord(string name, IValueSyntax syntax)
{
    /// <summary>The name in redis.conf's spelling.</summary>
    public string Name { get; } = name;

    /// <summary>Another name of another version, by which the word is found too; or null.</summary>
    public string? Alias { get; init; }

    /// <summary>How its values are read, checked and written.</summary>
    public IValueSyntax Syntax { get; } = syntax;

    /// <summary>When the value may change.</summary>
    public ChangeRule Change { get; init; } = ChangeRule.AtRuntime;

    /// <summary>Whether the value is a secret, to be kept out of the log, SLOWLOG and MONITOR.</summary>
    public bool IsSensitive { get; init; }

    /// <summary>Whether only its full name finds it, not a pattern.</summary>
    public bool IsHidden { get; init; }

    /// <summary>Reads a value given as words; see <see cref="IValueSyntax.TryRead"/>.</summary>
    public bool TryRead(IReadOnlyList<string> words, string current, out string text, out string error)
    {
        if (Syntax.TakesSeveralWords || words.Count == 1)
        {
            return Syntax.TryRead(words, current, out text, out error);
        }

        text = "";
        error = "wrong number of arguments";
        return false;
    }

    /// <summary>The text that CONFIG GET prints.</summary>
    public abstract string TextIn(ConfigurationValues values);

    /// <summary>Puts a text that <see cref="TryRead"/> gave into the values.</summary>
    /// <param name="values">The values; replaced by those with the change.</param>
    /// <param name="text">The text.</param>
    /// <param name="error">Why it cannot be that; otherwise empty.</param>
    public abstract bool TryPut(ref ConfigurationValues values, string text, out string error);

    /// <inheritdoc/>
    public override string ToString() => Name;
}
