using Strata.Server.Metrics;


namespace Strata.Server.Reports;

/// <summary>The sections of INFO, in the order it gives them, and which of them a request asks for.</summary>
public static class InfoSections
{
    /// <summary>All sections; those that can be long, and those Redis does not have, only on demand.</summary>
    public static readonly IReadOnlyList<InfoSection> All =
    [
        new("server", true, ServerSection.Write),
        new("clients", true, ClientsSection.Write),
        new("tls", true, TlsSection.Write),
        new("memory", true, MemorySection.Write),
        new("tier", true, TierSection.Write),
        new("persistence", true, PersistenceSection.Write),
        new("stats", true, StatsSection.Write),
        new("replication", true, static (text, _) => ReplicationSection.Write(text)),
        new("cpu", true, CpuSection.Write),
        new("modules", true, static (text, _) => text.Section("Modules")) { OtherName = "module_list" },
        new("commandstats", false, CommandStatsSection.Write),
        new("errorstats", true, ErrorStatsSection.Write),
        new("latencystats", false, LatencyStatsSection.Write),
        new("cluster", true, static (text, _) => ClusterSection.Write(text)),
        new("keyspace", true, KeyspaceSection.Write),
        new("shards", false, ShardsSection.Write),
        new("workers", false, WorkersSection.Write),
        new("debug", false, DebugSection.Write) { IsOnlyByName = true },
    ];

    private static readonly HashSet<string> s_words = new(
        [.. All.Select(section => section.Name), .. All.Select(section => section.OtherName ?? section.Name),
            "default", "all", "everything"],
        StringComparer.OrdinalIgnoreCase);

    /// <summary>Whether a word asks for something.</summary>
    public static bool IsWord(string word) => s_words.Contains(word);

    /// <summary>The sections that words ask for, in any case: names, "default", "all", "everything"; no words ask for
    /// the default. Unknown words ask for nothing.</summary>
    public static IReadOnlyList<InfoSection> Select(IReadOnlyCollection<string> words)
    {
        var wanted = new HashSet<string>(words, StringComparer.OrdinalIgnoreCase);
        var all = wanted.Contains("all") || wanted.Contains("everything");
        var byDefault = wanted.Count == 0 || wanted.Contains("default");
        return [.. All.Where(section => (all && !section.IsOnlyByName) || (byDefault && section.IsDefault)
            || wanted.Contains(section.Name) || (section.OtherName is { } other && wanted.Contains(other)))];
    }

    /// <summary>The text of sections.</summary>
    public static string Write(IEnumerable<InfoSection> sections, MetricSource source)
    {
        var text = new InfoText();
        foreach (var section in sections)
        {
            section.Write(text, source);
        }

        return text.ToString();
    }
}
