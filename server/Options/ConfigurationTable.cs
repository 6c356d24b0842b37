using System.Diagnostics.CodeAnalysis;
using Strata.Server.Options.Keys;

namespace Strata.Server.Options;

/// <summary>
/// All configuration keys. To add one, add its row to the class of its section and its property to <see
/// cref="ServerOptions"/>.
/// </summary>
public static class ConfigurationTable
{
    /// <summary>The sections in the order of the conf file.</summary>
    public static readonly IReadOnlyList<ConfigurationSection> Sections =
    [
        NetworkKeys.Section,
        ClientKeys.Section,
        MemoryKeys.Section,
        CollectionKeys.Section,
        TierKeys.Section,
        EngineKeys.Section,
        DiagnosticKeys.Section,
    ];

    /// <summary>The keys of all sections in the order of the conf file.</summary>
    public static readonly IReadOnlyList<ConfigurationKey> Keys = [.. Sections.SelectMany(section => section.Keys)];

    private static readonly Dictionary<string, ConfigurationKey> s_byName = Keys
        .Concat(Keys.Where(key => key.Alias != null))
        .Select((key, index) => (Name: index < Keys.Count ? key.Name : key.Alias!, Key: key))
        .ToDictionary(pair => pair.Name, pair => pair.Key, StringComparer.OrdinalIgnoreCase);

    /// <summary>Finds a key by its name, or its older one, in any case.</summary>
    public static bool TryFind(string name, [NotNullWhen(true)] out ConfigurationKey? key) =>
        s_byName.TryGetValue(name, out key);
}
