using Strata.Tests.Server.Execution;
using Strata.Tests.Simulation.Streams;

namespace Strata.Tests.Simulation.Durable;

/// <summary>What a client has asked servers for that came one after the other on the same disk, and how much of it was
/// acknowledged; and what that must have made of the data.</summary>
internal sealed class TierHistory
{
    /// <summary>Keys of each type.</summary>
    public const int Keys = 12;

    /// <summary>The groups that a stream may have.</summary>
    public static string[] Groups { get; } = ["g", "k"];

    private static readonly string[] s_questions =
    [
        .. Enumerable.Range(0, 2).SelectMany(static database => Enumerable.Range(0, Keys).SelectMany(
            static i => new[] { $"GET s{i}", $"PEXPIRETIME s{i}", $"LRANGE l{i} 0 -1", $"SMEMBERS e{i}",
                $"HGETALL h{i}", $"ZRANGE z{i} 0 -1 WITHSCORES" }.Concat(OfStream($"x{i}")))
            .Prepend($"SELECT {database}")
            .Append("DBSIZE")),
    ];

    private readonly List<string[]> _steps = [];

    /// <summary>Steps that were answered.</summary>
    public int Acknowledged { get; private set; }

    /// <summary>All steps.</summary>
    public int Count => _steps.Count;

    /// <summary>A step is begun, once the last one is answered.</summary>
    public void Begin(string[] commands) => _steps.Add(commands);

    /// <summary>It was answered.</summary>
    /// <param name="isRefused">Whether it has changed nothing.</param>
    public void End(bool isRefused)
    {
        if (isRefused)
        {
            _steps.RemoveAt(_steps.Count - 1);
        }

        Acknowledged = _steps.Count;
    }

    /// <summary>Looks whether a server holds what was acknowledged, with or without what was being done; goes on from
    /// there.</summary>
    /// <param name="server">A server that has been started anew.</param>
    /// <returns>The first difference from what was acknowledged; null where there is none.</returns>
    public string? FirstDifference(TurnServer server)
    {
        var found = Image(server);
        using var reference = new TurnServer(workers: 1);
        var client = reference.Connect();
        foreach (var step in _steps.Take(Acknowledged))
        {
            _ = Ask(reference, client, step);
        }

        var expected = Image(reference);
        if (_steps.Count > Acknowledged && !found.SequenceEqual(expected))
        {
            _ = Ask(reference, client, _steps[^1]);
            if (found.SequenceEqual(Image(reference)))
            {
                Acknowledged = _steps.Count;
                return null;
            }
        }

        _steps.RemoveRange(Acknowledged, _steps.Count - Acknowledged);
        return Enumerable.Range(0, s_questions.Length)
            .Where(i => found[i] != expected[i])
            .Select(i => $"{s_questions[i]} answers {Shorten(found[i])}, and not {Shorten(expected[i])}")
            .FirstOrDefault();
    }

    /// <summary>Asks something, and lets the workers take turns until it is answered.</summary>
    public static IReadOnlyList<string> Ask(TurnServer server, TurnClient client, string[] commands)
    {
        const int MostRounds = 2000;
        List<string> replies = [.. client.Call(commands)];
        for (var round = 0; replies.Count < commands.Length && round < MostRounds; round++)
        {
            server.Clock.AdvanceMs(2);
            server.Settle();
            replies.AddRange(client.Replies());
        }

        return replies;
    }

    private static string[] Image(TurnServer server)
        => [.. Ask(server, server.Connect(), s_questions).Zip(s_questions, Comparable)];

    private static IEnumerable<string> OfStream(string key)
        =>
        [
            $"XRANGE {key} - +", $"XINFO STREAM {key}", $"XINFO GROUPS {key}",
            .. Groups.SelectMany(
                group => new[] { $"XPENDING {key} {group} - + 1000", $"XINFO CONSUMERS {key} {group}" }),
        ];

    private static string Comparable(string reply, string question)
        => question.StartsWith("SMEMBERS", StringComparison.Ordinal)
            || question.StartsWith("HGETALL", StringComparison.Ordinal)
                ? string.Join(' ', reply.Trim('[', ']').Split(' ').Order(StringComparer.Ordinal))
                : StreamReplyText.Lasting(question.Split(' '), reply);

    private static string Shorten(string text) => text.Length > 80 ? $"{text[..80]}... ({text.Length})" : text;
}
