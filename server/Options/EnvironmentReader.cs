using System.Collections;

namespace Strata.Server.Options;

/// <summary>
/// Reads the environment variables that set keys: <c>STRATA_</c> and the key's name in capitals, with underscores for
/// dashes. The value is the text as it is; only that of a key with several words is split as a conf line is.
/// </summary>
public static class EnvironmentReader
{
    private const string Prefix = "STRATA_";

    /// <summary>Reads the variables into a builder; unknown ones with the prefix become a warning.</summary>
    /// <param name="variables">
    /// Names and values, as <see cref="Environment.GetEnvironmentVariables()"/> gives them.
    /// </param>
    /// <param name="builder">Takes the values.</param>
    /// <exception cref="ConfigurationException">A value is not right.</exception>
    public static void Read(IDictionary variables, ConfigurationBuilder builder)
    {
        builder.BeginKind();
        var names = variables.Keys.Cast<string>().Where(name => name.StartsWith(Prefix, StringComparison.Ordinal));
        foreach (var name in names.Order(StringComparer.Ordinal))
        {
            var value = (string?)variables[name] ?? "";
            var keyName = name[Prefix.Length..].Replace('_', '-');
            if (ConfigurationTable.TryFind(keyName, out var key))
            {
                var place = key.IsSensitive ? $"Environment variable {name}" : $"Environment variable {name}={value}";
                builder.Set(key, [ConfigurationText.FromUnicode(value)], place);
            }
            else if (RenameLine.Is(keyName) || UserLine.Is(keyName))
            {
                // Without effect, it would leave a command, or all of them, to those from whom it is to be kept.
                throw new ConfigurationException(
                    $"Environment variable {name}: '{keyName.ToLowerInvariant()}' stands in the conf file or among the "
                    + "flags, where there may be several");
            }
            else if (UnsupportedSettings.Contains(keyName))
            {
                var words = new[] { ConfigurationText.FromUnicode(value) };
                builder.Unsupported.Add(keyName, words, $"Environment variable {name}");
            }
            else
            {
                builder.AddUnknownVariable(name);
            }
        }
    }
}
