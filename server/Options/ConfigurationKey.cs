using Strata.Server.Options.Syntax;
using Strata.Server.Text;

namespace Strata.Server.Options;

/// <summary>
/// A row of the table that everything about configuration comes from: the conf file, flags, environment variables,
/// CONFIG GET, SET and REWRITE, the help and the documentation.
/// </summary>
public sealed class ConfigurationKey : ConfigurationWord
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
        : base(name, syntax)
    {
        DefaultValue = defaultValue;
        Summary = summary;
        if (!QuotedWords.TrySplit(defaultValue, out var words) || !TryRead(words, "", out var text, out _))
        {
            throw new ArgumentException($"The default of {name} is not a right value: {defaultValue}");
        }

        DefaultText = text;
    }

    /// <summary>The default as a conf file has it.</summary>
    public string DefaultValue { get; }

    /// <summary>The default as CONFIG GET prints it.</summary>
    public string DefaultText { get; }

    /// <summary>What it does, with its unit.</summary>
    public string Summary { get; }

    /// <summary>Whether each time that it is given at start adds to those before of the same kind (the conf file,
    /// flags), until it is given as nothing; the first takes the place of what there was.</summary>
    public bool AddsUp { get; init; }

    /// <summary>Whether a change opens and closes listening sockets, which belong to the first worker: only there may
    /// the key be set.</summary>
    public bool IsListening { get; init; }

    /// <summary>Whether the value names what may have changed while the name has not, as a file does: giving it again
    /// has it looked at again.</summary>
    public bool IsVolatile { get; init; }

    /// <summary>The environment variable that sets it.</summary>
    public string EnvironmentVariable => "STRATA_" + Name.Replace('-', '_').ToUpperInvariant();

    /// <inheritdoc/>
    public override string TextIn(ConfigurationValues values) => values[this];

    /// <inheritdoc/>
    public override bool TryPut(ref ConfigurationValues values, string text, out string error)
    {
        values = values.With(this, text);
        error = "";
        return true;
    }
}
