namespace Strata.Server.Commands.Model;

/// <summary>The names of the categories.</summary>
internal static class AclCategoryNames
{
    /// <summary>The categories with their names, without '@', in Redis's order.</summary>
    public static IReadOnlyList<(AclCategories Category, string Name)> All { get; } =
        [.. Enum.GetValues<AclCategories>()
            .Where(static category => category != AclCategories.None)
            .Select(static category => (category, category.ToString().ToLowerInvariant()))];

    /// <summary>The category of a name without '@', in any case; none for a word that is no category.</summary>
    public static AclCategories Find(string name)
        => All.FirstOrDefault(named => named.Name.Equals(name, StringComparison.OrdinalIgnoreCase)).Category;
}
