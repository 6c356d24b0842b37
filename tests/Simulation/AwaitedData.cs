using Strata.Tests.Simulation.Streams;

namespace Strata.Tests.Simulation;

/// <summary>What clients wait for: whether it is there, though they wait, and what brings it.</summary>
internal static class AwaitedData
{
    // Higher than what clients add.
    private const int RescueMs = 1000;

    /// <summary>What brings whoever waits for a key what it waits for, whatever that is.</summary>
    /// <param name="key">The key.</param>
    /// <param name="rescues">How often it was done.</param>
    /// <param name="hasStreams">Whether somebody may wait for streams.</param>
    public static IEnumerable<SimulatedRequest> Rescue(string key, int rescues, bool hasStreams)
    {
        string[][] ofStreams = [["DEL", key], ["XADD", key, $"{RescueMs + rescues}-1", "f", $"rescue{rescues}"]];
        string[][] ofLists = [["DEL", key], ["RPUSH", key, $"rescue{rescues}"]];
        return (hasStreams ? ofStreams.Concat(ofLists) : ofLists).Select(SimulatedRequest.Of);
    }

    /// <summary>What to ask a server to see whether a command need not wait.</summary>
    /// <param name="request">What may be such a command.</param>
    public static IReadOnlyList<SimulatedRequest> Questions(SimulatedRequest request)
    {
        var command = request.Commands[0];
        var words = request.IsOfSeveral ? [] : command[0] switch
        {
            "BLPOP" => command[1..^1].Select(key => new[] { "LLEN", key }),
            "BLMOVE" => [["LLEN", command[1]]],

            // What was the last entry when it came nobody knows.
            "XREAD" when command[^1] == "$" => [],
            "XREAD" or "XREADGROUP" when command.Contains("BLOCK") => [StreamReadRequest.WithoutWait(command)],
            _ => [],
        };
        return [.. words.Select(SimulatedRequest.Of)];
    }

    /// <summary>Whether who waits need not have been told: a group that is set back has something to read again, which
    /// nobody is woken for, as in Redis, until something new comes.</summary>
    public static bool MayBeUntold(Operation wait, IEnumerable<Operation> history)
        => history.Where(operation => operation.ReturnedAt > wait.InvokedAt)
            .SelectMany(operation => operation.Request.Commands)
            .Any(command => command[0] == "XGROUP" && command[1] == "SETID"
                && wait.Request.Commands[0].Contains(command[2]));

    /// <summary>Whether an answer says that the command need not wait: there is something for it, or, for a group's
    /// reader, an error.</summary>
    public static bool IsThere(Operation question) => question.Request.Commands[0][0] switch
    {
        "XREADGROUP" => question.Text != ReplyText.Null,
        "XREAD" => question.Text is not (ReplyText.Null or ReplyText.WrongType),
        _ => question.Text is not (":0" or ReplyText.WrongType),
    };
}
