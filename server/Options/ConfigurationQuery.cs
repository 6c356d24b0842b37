using System.Text;
using Strata.Server.Text;

namespace Strata.Server.Options;

/// <summary>What CONFIG GET finds: the names that any of some patterns matches (Redis's globs, letters in any case),
/// each once, with their values. One that was asked for without wildcards is as it was spelled. Patterns are added one
/// by one, in steps.</summary>
internal sealed class ConfigurationQuery
{
    // What it is to look a name up, or to begin to match one, in bytes that are compared.
    private const int EffortOfName = 32;
    private const int ReadAtOnce = 16;

    private static readonly byte[][] s_names =
        [.. ConfigurationTable.Names.Select(name => Encoding.ASCII.GetBytes(name.Text))];

    private readonly ConfigurationValues _values;
    private readonly HashSet<ConfigurationName> _seen = [];
    private readonly List<KeyValuePair<string, string>> _found = [];
    private int _next;
    private GlobMatch _match;
    private bool _isBegun;

    /// <summary>Nothing is found yet.</summary>
    /// <param name="options">Where the values are from.</param>
    public ConfigurationQuery(ServerOptions options)
    {
        _values = options.Values;
    }

    /// <summary>What was found.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Found => _found;

    /// <summary>Finds what a pattern matches, or goes on to.</summary>
    /// <param name="pattern">The pattern, the same until all was found.</param>
    /// <param name="effort">How many bytes may be looked at; less those that were.</param>
    /// <returns>Whether all was.</returns>
    public bool TryAdd(ReadOnlySpan<byte> pattern, ref long effort)
    {
        effort -= _isBegun ? 0 : EffortOfName + (pattern.Length / ReadAtOnce);
        _isBegun = true;
        if (!GlobPattern.HasWildcard(pattern))
        {
            var text = ConfigurationText.FromBytes(pattern);
            if (ConfigurationTable.TryFindName(text, out var named) && _seen.Add(named))
            {
                _found.Add(new(text, named.Word.TextIn(_values)));
            }

            _isBegun = false;
            return true;
        }

        while (_next < s_names.Length)
        {
            if (_match.Go(pattern, s_names[_next], ignoreCase: true, ref effort) is not { } matches)
            {
                return false;
            }

            var name = ConfigurationTable.Names[_next];
            if (matches && !name.Word.IsHidden && _seen.Add(name))
            {
                _found.Add(new(name.Text, name.Word.TextIn(_values)));
            }

            _next++;
            _match = default;
            effort -= EffortOfName / 4;
        }

        _next = 0;
        _isBegun = false;
        return true;
    }
}
