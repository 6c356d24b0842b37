using Strata.Server.Options.Syntax;

namespace Strata.Server.Options;

/// <summary>
/// A row of the table that everything about configuration comes from: the conf file, flags, environment variables,
/// CONFIG GET, SET and REWRITE, the help and the documentation. Rows are compared by identity.
/// </summary>
public sealed class ConfigurationKey
{
    /// <summary>Makes a row.</summary>
    /// <param name="name">The name in redis.conf's spelling, in lower case.</param>
    /// <param name="syntax">How its values are read, checked and written.</param>
    /// <param name="defaultValue">The default as a conf file has it behind the name.</param>
    /// <param name="summary">
    /// What it does, with its unit: one or more sentences for the file and the documentation.
    /// </param>
    /// <exception cref="ArgumentException">The default is not a right value.</exception>
    public ConfigurationKey(string name, IValueSyntax syntax, string defaultValue, string summary)
    {
        Name = name;
        Syntax = syntax;
        DefaultValue = defaultValue;
        Summary = summary;
        if (!ConfLine.TrySplit(defaultValue, out var words) || !TryRead(words, "", out var text, out _))
        {
            throw new ArgumentException($"The default of {name} is not a right value: {defaultValue}");
        }

        DefaultText = text;
    }

    /// <summary>The name in redis.conf's spelling.</summary>
    public string Name { get; }

    /// <summary>An older name, by which the key is found too; or null.</summary>
    public string? Alias { get; init; }

    /// <summary>The default as a conf file has it.</summary>
    public string DefaultValue { get; }

    /// <summary>The default as CONFIG GET prints it.</summary>
    public string DefaultText { get; }

    /// <summary>What it does, with its unit.</summary>
    public string Summary { get; }

    /// <summary>How its values are read, checked and written.</summary>
    public IValueSyntax Syntax { get; }

    /// <summary>When the value may change.</summary>
    public ChangeRule Change { get; init; } = ChangeRule.AtRuntime;

    /// <summary>Whether the value is a secret, to be kept out of the log, SLOWLOG and MONITOR.</summary>
    public bool IsSensitive { get; init; }

    /// <summary>The environment variable that sets it.</summary>
    public string EnvironmentVariable => "STRATA_" + Name.Replace('-', '_').ToUpperInvariant();

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

    /// <inheritdoc/>
    public override string ToString() => Name;
}
