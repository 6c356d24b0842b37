using System.Diagnostics.CodeAnalysis;
using Strata.Server.Options.Inert;
using Strata.Server.Options.Keys;

namespace Strata.Server.Options;

/// <summary>
/// All configuration keys. To add one, add its row to the class of its section and its property to <see
/// cref="ServerOptions"/>; if Redis has it, take its row out of <see cref="InertWords"/>.
/// </summary>
public static class ConfigurationTable
{
    /// <summary>The sections in the order of the conf file.</summary>
    public static readonly IReadOnlyList<ConfigurationSection> Sections =
    [
        NetworkKeys.Section,
        TlsKeys.Section,
        ClientKeys.Section,
        AccessKeys.Section,
        MemoryKeys.Section,
        CollectionKeys.Section,
        TierKeys.Section,
        PersistenceKeys.Section,
        JournalKeys.Section,
        EngineKeys.Section,
        ProcessKeys.Section,
        DiagnosticKeys.Section,
        ObservationKeys.Section,
    ];

    /// <summary>The keys of all sections in the order of the conf file.</summary>
    public static readonly IReadOnlyList<ConfigurationKey> Keys = [.. Sections.SelectMany(section => section.Keys)];

    /// <summary>The names of all words, of the keys first.</summary>
    public static readonly IReadOnlyList<ConfigurationName> Names =
    [
        .. Keys.Concat<ConfigurationWord>(InertWords.All).SelectMany(NamesOf),
    ];

    private static readonly Dictionary<string, ConfigurationName> s_byName =
        Names.ToDictionary(name => name.Text, StringComparer.OrdinalIgnoreCase);

    /// <summary>Finds a key by its name, or its other one, in any case.</summary>
    public static bool TryFind(string name, [NotNullWhen(true)] out ConfigurationKey? key)
    {
        key = TryFindName(name, out var found) ? found.Word as ConfigurationKey : null;
        return key != null;
    }

    /// <summary>Finds a word by a name, in any case; also one without effect.</summary>
    public static bool TryFindName(string name, [NotNullWhen(true)] out ConfigurationName? found) =>
        s_byName.TryGetValue(name, out found);

    private static IEnumerable<ConfigurationName> NamesOf(ConfigurationWord word) => word.Alias is null
        ? [new(word.Name, word)]
        : [new(word.Name, word), new(word.Alias, word)];
}
