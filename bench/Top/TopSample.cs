using System.Diagnostics;
using System.Globalization;
using Strata.Bench.Load;

namespace Strata.Bench.Top;

/// <summary>What a server says of itself at one moment, by INFO, LATENCY HISTOGRAM, SLOWLOG and the doctors. What it
/// does not have, or does not tell this user, is not there.</summary>
internal sealed class TopSample
{
    private const int SlowCommands = 8;
    private const string CommandPrefix = "cmdstat_";
    private const string ShardPrefix = "shard";

    // No more than is shown: what is told of each shard takes a while.
    private static readonly string[] s_info =
    [
        "INFO", "server", "clients", "memory", "persistence", "tier", "stats", "cpu", "keyspace", "commandstats",
    ];

    private readonly Dictionary<string, string> _fields = new(StringComparer.Ordinal);

    private TopSample()
    {
    }

    /// <summary>When it was taken, seconds of a clock that only goes forward.</summary>
    public double Seconds { get; private init; }

    /// <summary>Calls of all commands that took no longer than so many microseconds, by their bound.</summary>
    public SortedDictionary<long, long> Latencies { get; } = [];

    /// <summary>The same of each command.</summary>
    public Dictionary<string, SortedDictionary<long, long>> CommandLatencies { get; } = new(StringComparer.Ordinal);

    /// <summary>Of each command that was used its calls and the microseconds they took.</summary>
    public Dictionary<string, (long Calls, long Microseconds)> Commands { get; } = new(StringComparer.Ordinal);

    /// <summary>The newest entries of the slow log: number, verb, microseconds, and when, in seconds since 1970.
    /// </summary>
    public List<(long Id, string Verb, long Microseconds, long UnixSeconds)> Slow { get; } = [];

    /// <summary>What INFO says of each shard, by its number, if that was asked.</summary>
    public List<(string Number, string Fields)> Shards { get; } = [];

    /// <summary>What the doctors find.</summary>
    public List<string> Findings { get; } = [];

    /// <summary>What the server does not have, or this user may not ask.</summary>
    public List<string> Refusals { get; } = [];

    /// <summary>Whether it is Strata, which has what other servers have not.</summary>
    public bool IsStrata => Text("strata_version").Length > 0;

    /// <summary>Asks a server.</summary>
    /// <param name="client">The server.</param>
    /// <param name="withShards">Whether each shard is asked for, too.</param>
    /// <exception cref="BenchException">It cannot be reached, or does not allow INFO.</exception>
    public static TopSample Take(RespClient client, bool withShards)
    {
        var sample = new TopSample { Seconds = Stopwatch.GetTimestamp() / (double)Stopwatch.Frequency };
        sample.ReadInfo(client.Call([.. s_info, .. withShards ? ["shards"] : Array.Empty<string>()])[0]);
        sample.IfAllowed(() => sample.ReadLatencies(client.CallNested("LATENCY", "HISTOGRAM")));
        sample.IfAllowed(() => sample.ReadSlow(client.CallNested(
            "SLOWLOG", "GET", SlowCommands.ToString(CultureInfo.InvariantCulture))));
        sample.IfAllowed(() => sample.ReadFindings(client.Call("MEMORY", "DOCTOR")[0]));
        sample.IfAllowed(() => sample.ReadFindings(client.Call("LATENCY", "DOCTOR")[0]));
        return sample;
    }

    /// <summary>A field of INFO; empty where it has none.</summary>
    public string Text(string field) => _fields.GetValueOrDefault(field, "");

    /// <summary>A number of INFO; not a number where it has none.</summary>
    public double Number(string field)
        => double.TryParse(Text(field), NumberStyles.Float, CultureInfo.InvariantCulture, out var number)
            ? number
            : double.NaN;

    /// <summary>Keys of all databases.</summary>
    public double Keys => _fields
        .Where(entry => entry.Key.StartsWith("db", StringComparison.Ordinal)
            && entry.Value.StartsWith("keys=", StringComparison.Ordinal))
        .Sum(entry => (double)PartOf(entry.Value, "keys"));

    /// <summary>A number of a field that has several, <c>name=number,name=number</c>; 0 where it is not among them.
    /// </summary>
    public static long PartOf(string value, string name)
        => ServerInfo.TryPartOf(value, name, out var number) ? number : 0;

    private void IfAllowed(Action ask)
    {
        try
        {
            ask();
        }
        catch (BenchException e) when (e.InnerException is null)
        {
            Refusals.Add(e.Message); // The rest is worth showing.
        }
    }

    private void ReadInfo(string text)
    {
        foreach (var line in text.Split('\n'))
        {
            var colon = line.IndexOf(':', StringComparison.Ordinal);
            if (colon <= 0 || line[0] == '#')
            {
                continue;
            }

            var (name, value) = (line[..colon], line[(colon + 1)..].TrimEnd('\r'));
            if (name.StartsWith(CommandPrefix, StringComparison.Ordinal))
            {
                Commands[name[CommandPrefix.Length..]] = (PartOf(value, "calls"), PartOf(value, "usec"));
            }
            else if (name.StartsWith(ShardPrefix, StringComparison.Ordinal)
                && name.AsSpan(ShardPrefix.Length).ContainsAnyExceptInRange('0', '9') is false)
            {
                Shards.Add((name[ShardPrefix.Length..], value));
            }
            else
            {
                _fields[name] = value;
            }
        }
    }

    /// <summary>Command and histogram in turn; a histogram is "calls", how many, "histogram_usec", and bounds with what
    /// was at most so long. Each command names only the bounds at which it grows.</summary>
    private void ReadLatencies(RespNode reply)
    {
        SortedDictionary<long, long> counts = [];
        for (var i = 1; i < reply.Items.Count; i += 2)
        {
            var buckets = reply.Items[i].Items is [_, _, _, var last] ? last.Items : [];
            var below = 0L;
            var ofCommand = CommandLatencies[reply.Items[i - 1].Text] = [];
            for (var j = 0; j + 1 < buckets.Count; j += 2)
            {
                var bound = long.Parse(buckets[j].Text, CultureInfo.InvariantCulture);
                var count = long.Parse(buckets[j + 1].Text, CultureInfo.InvariantCulture);
                ofCommand[bound] = count;
                counts[bound] = counts.GetValueOrDefault(bound) + count - below;
                below = count;
            }
        }

        var sum = 0L;
        foreach (var (bound, count) in counts)
        {
            Latencies[bound] = sum += count;
        }
    }

    private void ReadSlow(RespNode reply)
    {
        foreach (var entry in reply.Items.Where(entry => entry.Items.Count >= 4))
        {
            var verb = entry.Items[3].Items is [var first, ..] ? first.Text : "";
            Slow.Add((
                long.Parse(entry.Items[0].Text, CultureInfo.InvariantCulture),
                verb,
                long.Parse(entry.Items[2].Text, CultureInfo.InvariantCulture),
                long.Parse(entry.Items[1].Text, CultureInfo.InvariantCulture)));
        }
    }

    private void ReadFindings(string report)
        => Findings.AddRange(report.Split('\n')
            .Where(line => line.StartsWith("- ", StringComparison.Ordinal))
            .Select(line => line[2..]));
}
