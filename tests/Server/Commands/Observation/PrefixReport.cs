using System.Globalization;
using System.Text.RegularExpressions;

namespace Strata.Tests.Server.Commands.Observation;

/// <summary>A reply of STRATA PREFIXES, as a <see cref="Execution.TurnClient"/> gives it.</summary>
internal sealed partial class PrefixReport
{
    public PrefixReport(string reply)
    {
        Prefixes = [.. Entry().Matches(reply).Select(static match => new Prefix(match))];
        Seen = Number(Header("keys-seen").Match(reply));
        Unread = Number(Header("keys-unread").Match(reply));
        Keys = Number(Header("keys").Match(reply));
    }

    public List<Prefix> Prefixes { get; }

    public long Keys { get; }

    public long Seen { get; }

    public long Unread { get; }

    public Prefix this[string name, int database = 0]
        => Prefixes.Single(prefix => prefix.Name == name && prefix.Database == database);

    [GeneratedRegex(
        @"\[\$prefix \$(?<name>\S*) \$db :(?<db>\d+) "
        + @"\$keys :(\d+) \$keys-at-least :(\d+) \$keys-at-most :(\d+) "
        + @"\$memory-bytes :(\d+) \$memory-at-least :(\d+) \$memory-at-most :(\d+) "
        + @"\$disk-bytes :(\d+) \$disk-at-least :(\d+) \$disk-at-most :(\d+) \$share \$[0-9.]+\]")]
    private static partial Regex Entry();

    private static Regex Header(string name) => new(@"\$" + name + @" :(\d+)");

    private static long Number(Match match) => long.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture);

    /// <summary>A figure and its bounds.</summary>
    public readonly record struct Figure(long Value, long AtLeast, long AtMost)
    {
        public bool IsExact => Value == AtLeast && Value == AtMost;

        /// <summary>Whether a number lies within the bounds, or within so many times as wide ones.</summary>
        public bool Holds(long number, int times = 1)
            => number >= Value - (times * (Value - AtLeast)) && number <= Value + (times * (AtMost - Value));
    }

    public sealed class Prefix(Match match)
    {
        public string Name => match.Groups["name"].Value;

        public int Database => int.Parse(match.Groups["db"].Value, CultureInfo.InvariantCulture);

        public Figure Keys => Of(1);

        public Figure Memory => Of(4);

        public Figure Disk => Of(7);

        private Figure Of(int group) => new(Number(group), Number(group + 1), Number(group + 2));

        private long Number(int group) => long.Parse(match.Groups[group].Value, CultureInfo.InvariantCulture);
    }
}
