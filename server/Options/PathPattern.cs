using System.Text;
using Strata.Server.Text;

namespace Strata.Server.Options;

/// <summary>Paths with wildcards, as a shell expands them: <c>conf.d/*.conf</c>.</summary>
public static class PathPattern
{
    /// <summary>Whether a path has a wildcard.</summary>
    public static bool HasWildcard(string path) => GlobPattern.HasWildcard(Encoding.UTF8.GetBytes(path));

    /// <summary>
    /// The existing paths that match, sorted. A wildcard matches within one name and no leading dot; directories that
    /// cannot be read match nothing.
    /// </summary>
    public static IReadOnlyList<string> Expand(string pattern)
    {
        var matches = new List<string> { Path.IsPathRooted(pattern) ? "/" : "" };
        foreach (var name in pattern.Split('/', StringSplitOptions.RemoveEmptyEntries))
        {
            matches = HasWildcard(name)
                ? [.. matches.SelectMany(directory => MatchingEntries(directory, name))]
                : [.. matches.Select(directory => Path.Combine(directory, name)).Where(Path.Exists)];
        }

        matches.Sort(StringComparer.Ordinal);
        return matches;
    }

    private static IEnumerable<string> MatchingEntries(string directory, string pattern)
    {
        var patternBytes = Encoding.UTF8.GetBytes(pattern);
        var options = new EnumerationOptions { IgnoreInaccessible = true, AttributesToSkip = FileAttributes.None };
        return Directory.Exists(directory.Length == 0 ? "." : directory)
            ? Directory.EnumerateFileSystemEntries(directory.Length == 0 ? "." : directory, "*", options)
                .Select(entry => Path.GetFileName(entry))
                .Where(name => name[0] != '.' || pattern[0] == '.')
                .Where(name => GlobPattern.IsMatch(patternBytes, Encoding.UTF8.GetBytes(name)))
                .Select(name => Path.Combine(directory, name))
            : [];
    }
}
