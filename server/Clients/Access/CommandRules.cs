namespace Strata.Server.Clients.Access;

/// <summary>The rules about commands that a selector was given, as far as they still count, in their order: what is
/// said of a command takes the place of what was said of it and its subcommands before.</summary>
internal sealed class CommandRules
{
    private readonly OrderedMap<bool> _rules = new();
    private readonly Dictionary<string, HashSet<string>> _parts = new(StringComparer.Ordinal);

    /// <summary>The rules with their signs.</summary>
    public IEnumerable<string> InOrder => _rules.InOrder.Select(rule => (rule.Value ? "+" : "-") + rule.Key);

    /// <summary>Adds a rule.</summary>
    /// <param name="rule">A command, a part of one, or a category with its '@', in lower case.</param>
    /// <param name="isAllowed">Whether it is allowed or forbidden.</param>
    public void Add(string rule, bool isAllowed)
    {
        _rules.Remove(rule);
        if (_parts.Remove(rule, out var parts))
        {
            foreach (var part in parts)
            {
                _rules.Remove(part);
            }
        }

        if (rule.IndexOf('|') is > 0 and var bar)
        {
            var command = rule[..bar];
            if (!_parts.TryGetValue(command, out var others))
            {
                _parts[command] = others = new HashSet<string>(StringComparer.Ordinal);
            }

            others.Add(rule);
        }

        _rules.Set(rule, isAllowed);
    }

    /// <summary>Forgets them.</summary>
    public void Clear()
    {
        _rules.Clear();
        _parts.Clear();
    }
}
