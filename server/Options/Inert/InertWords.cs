using System.Diagnostics.CodeAnalysis;

namespace Strata.Server.Options.Inert;

/// <summary>All words of Redis 7.2's configuration, and of 7.4's where it has more, that have no effect here.</summary>
public static class InertWords
{
    /// <summary>The words that CONFIG knows.</summary>
    public static readonly IReadOnlyList<InertWord> All =
    [
        .. PersistenceWords.All,
        .. ReplicationWords.All,
        .. ClusterWords.All,
        .. TlsWords.All,
        .. AccessWords.All,
        .. MemoryWords.All,
        .. ProcessWords.All,
    ];

    private static readonly Dictionary<string, InertWord> s_byName = All
        .Concat(All.Where(word => word.Alias != null))
        .Select((word, index) => (Name: index < All.Count ? word.Name : word.Alias!, Word: word))
        .ToDictionary(pair => pair.Name, pair => pair.Word, StringComparer.OrdinalIgnoreCase);

    /// <summary>Finds a word by its name, or its other one, in any case.</summary>
    public static bool TryFind(string name, [NotNullWhen(true)] out InertWord? word) =>
        s_byName.TryGetValue(name, out word);
}
