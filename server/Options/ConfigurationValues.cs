using System.Globalization;

namespace Strata.Server.Options;

/// <summary>A value for every key, each as the text CONFIG GET prints. Never changes.</summary>
public sealed class ConfigurationValues
{
    /// <summary>The defaults of all keys.</summary>
    public static readonly ConfigurationValues Defaults =
        new(ConfigurationTable.Keys.ToDictionary(key => key, key => key.DefaultText));

    private readonly Dictionary<ConfigurationKey, string> _texts;

    private ConfigurationValues(Dictionary<ConfigurationKey, string> texts)
    {
        _texts = texts;
    }

    /// <summary>The text of a key's value.</summary>
    public string this[ConfigurationKey key] => _texts[key];

    /// <summary>The same values but for one.</summary>
    /// <param name="key">The key.</param>
    /// <param name="text">Its value, as <see cref="ConfigurationWord.TryRead"/> gives it.</param>
    public ConfigurationValues With(ConfigurationKey key, string text) =>
        new(new Dictionary<ConfigurationKey, string>(_texts) { [key] = text });

    internal long Number(ConfigurationKey key) => long.Parse(_texts[key], CultureInfo.InvariantCulture);

    internal int Integer(ConfigurationKey key) => int.Parse(_texts[key], CultureInfo.InvariantCulture);

    internal bool YesNo(ConfigurationKey key) => _texts[key] == "yes";

    internal string Unicode(ConfigurationKey key) => ConfigurationText.ToUnicode(_texts[key]);
}
