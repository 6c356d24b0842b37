using System.Text.RegularExpressions;

namespace Strata.Tests.Simulation.Streams;

/// <summary>Takes out of the text of replies what is another each time, or in another form of the same stream.
/// </summary>
internal static partial class StreamReplyText
{
    /// <summary>In the place of what the model does not know.</summary>
    public const string Any = "any";

    /// <summary>What a model can answer, too. It does not know which consumers there are that have nothing.</summary>
    public static string ForModel(string[] command, string text) => command[0][0] != 'X' || text[0] == '-'
        ? text
        : (command[0], command[1]) is ("XINFO", "CONSUMERS") or ("XGROUP", "CREATECONSUMER") ? Any
        : Consumers().Replace(Lasting(command, text), "");

    /// <summary>What another server answers, too, that has repeated what was done.</summary>
    public static string Lasting(string[] command, string text) => command[0] is not ("XINFO" or "XPENDING")
        ? text
        : Idle().Replace(Nodes().Replace(Times().Replace(text, ""), ""), "$1");

    /// <summary>What is left where a base was written as commands, which, as in Redis, make no pending entry of what
    /// is not in the stream any more: such entries, and how many pending ones there are, do not count.</summary>
    /// <param name="command">What was asked.</param>
    /// <param name="text">The answer, of what lasts.</param>
    /// <param name="entries">What XRANGE answers of the same stream.</param>
    public static string OfEntriesInStream(string[] command, string text, string entries) => command[0] switch
    {
        "XINFO" => PendingCount().Replace(text, ""),
        "XPENDING" => PendingEntry().Replace(
            text, entry => entries.Contains($"${entry.Groups[1].Value} ", StringComparison.Ordinal) ? entry.Value : "")
            .Replace("[ ", "[", StringComparison.Ordinal),
        _ => text,
    };

    [GeneratedRegex(@"\$pending :\d+")]
    private static partial Regex PendingCount();

    [GeneratedRegex(@" ?\[\$(\d+-\d+) [^\]]*\]")]
    private static partial Regex PendingEntry();

    [GeneratedRegex(@"\$consumers :\d+ ")]
    private static partial Regex Consumers();

    [GeneratedRegex(@"\$radix-tree-keys :\d+ \$radix-tree-nodes :\d+ ")]
    private static partial Regex Nodes();

    [GeneratedRegex(@" \$idle :\d+ \$inactive :-?\d+")]
    private static partial Regex Times();

    /// <summary>Of an entry of XPENDING.</summary>
    [GeneratedRegex(@"(\[\$\d+-\d+ \$\w+) :\d+")]
    private static partial Regex Idle();
}
