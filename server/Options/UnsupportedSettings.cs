using Strata.Server.Options.Inert;

namespace Strata.Server.Options;

/// <summary>
/// What a configuration of Redis says that this server does not follow. It is accepted, so that an existing redis.conf
/// loads, and has no effect; what is lost by that is told in one warning for each rank, the worst first. But what
/// restricts access keeps the server from starting, unless <c>allow-unsupported</c> names it, and so does a word with a
/// refusal.
/// </summary>
public sealed class UnsupportedSettings
{
    /// <summary>Words of redis.conf that CONFIG does not know.</summary>
    private static readonly Dictionary<string, InertRank> s_directives = new(StringComparer.OrdinalIgnoreCase)
    {
        ["loadmodule"] = InertRank.DataLoss,
        ["sentinel"] = InertRank.DataLoss,
    };

    /// <summary>Words that Redis 7 itself takes without looking at them.</summary>
    private static readonly HashSet<string> s_obsolete = new(StringComparer.OrdinalIgnoreCase)
    {
        "list-max-ziplist-entries", "list-max-ziplist-value", "lua-replicate-commands",
    };

    private readonly List<Setting> _settings = [];

    /// <summary>Whether a word is one that is not followed. Names with a dot are those of modules.</summary>
    public static bool Contains(string name) =>
        InertWords.TryFind(name, out _) || s_directives.ContainsKey(name) || s_obsolete.Contains(name)
        || name.Contains('.');

    /// <summary>Takes what was given. The last value of a word counts; a neutral one leaves nothing to tell.</summary>
    /// <param name="name">The word.</param>
    /// <param name="words">Its values.</param>
    /// <param name="place">Where it was given, for the error.</param>
    /// <exception cref="ConfigurationException">Redis would not take the value either.</exception>
    public void Add(string name, IReadOnlyList<string> words, string place)
    {
        var spelled = name.ToLowerInvariant();
        if (InertWords.TryFind(name, out var word))
        {
            var text = ConfigurationBuilder.Read(word, words, "", place);
            _settings.RemoveAll(setting => setting.Word == word);

            if (text != word.NeutralText)
            {
                var shown = word.IsSensitive || word.Rank == InertRank.Security ? spelled : $"{spelled} {text}";
                _settings.Add(new Setting(word, word.Rank, spelled, shown, place));
            }
        }
        else if (s_directives.TryGetValue(name, out var rank))
        {
            var shown = rank == InertRank.Security ? spelled : $"{spelled} {string.Join(' ', words)}".TrimEnd();
            _settings.Add(new Setting(null, rank, spelled, shown, place));
        }
        else if (!s_obsolete.Contains(name))
        {
            _settings.Add(new Setting(null, InertRank.Harmless, spelled, spelled, place));
        }
    }

    /// <summary>Refuses what the server cannot run with, and what was meant to keep somebody out, unless it was said
    /// that it may be missing: the server would be more open without it than its owner thinks.</summary>
    /// <param name="allowed">Names that may be missing.</param>
    /// <exception cref="ConfigurationException">There is one that may not.</exception>
    public void Check(IReadOnlyList<string> allowed)
    {
        if (_settings.Find(setting => setting.Word?.Refusal != null) is { } impossible)
        {
            throw new ConfigurationException($"{impossible.Place}: {impossible.Word!.Refusal}");
        }

        var refused = Of(InertRank.Security).Where(setting => !allowed.Contains(setting.Name)).ToList();
        if (refused.Count > 0)
        {
            var names = string.Join(' ', refused.Select(setting => setting.Name).Distinct());
            throw new ConfigurationException(
                $"{refused[0].Place}: restricts access, which is not supported yet: the server would be open to those "
                + "it is to keep out. Use bind, requirepass or a firewall, and take it out, or start without it by "
                + $"--allow-unsupported \"{names}\"");
        }
    }

    /// <summary>The warnings, one for each rank of which there is something, the worst first. Each lists what was
    /// given, in that order; of secrets, and of what restricts access, the names alone.</summary>
    public IReadOnlyList<string> ToWarnings()
    {
        var warnings = new List<string>();
        AddWarning(
            InertRank.DataLoss,
            "DATA WILL BE LOST, OR IS OUT OF REACH, that is to be kept or found elsewhere. Not supported, and without "
            + "effect: {0}.");
        AddWarning(
            InertRank.Security,
            "SECURITY: access is NOT restricted by {0}, which is not supported: use bind, requirepass or a firewall.");
        AddWarning(InertRank.Harmless, "Not supported, without effect, and harmless: {0}.");
        return warnings;

        void AddWarning(InertRank rank, string text)
        {
            var shown = string.Join(", ", Of(rank).Select(setting => setting.Shown).Distinct());
            if (shown.Length > 0)
            {
                warnings.Add(text.Replace("{0}", ConfigurationText.ToUnicode(shown), StringComparison.Ordinal));
            }
        }
    }

    private IEnumerable<Setting> Of(InertRank rank) => _settings.Where(setting => setting.Rank == rank);

    /// <summary>Something given that is not followed.</summary>
    /// <param name="Word">The word, if CONFIG knows it.</param>
    /// <param name="Rank">What it means that it is not followed.</param>
    /// <param name="Name">The name as it was given, in lower case.</param>
    /// <param name="Shown">What a warning says of it.</param>
    /// <param name="Place">Where it was given.</param>
    private sealed record Setting(InertWord? Word, InertRank Rank, string Name, string Shown, string Place);
}
