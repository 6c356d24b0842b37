using Strata.Tests.Simulation.Streams;
using Strata.Tests.Support;

namespace Strata.Tests.Simulation;

/// <summary>A request and what became of it, as its client saw it. Times are those of the history: no two are equal.
/// </summary>
/// <param name="client">Who sent it.</param>
/// <param name="request">What was sent.</param>
/// <param name="invokedAt">When its first byte was about to be sent.</param>
/// <param name="invokedMs">The simulated clock then, milliseconds since 1970.</param>
internal sealed class Operation(int client, SimulatedRequest request, long invokedAt, long invokedMs)
{
    public int Client { get; } = client;

    public SimulatedRequest Request { get; } = request;

    public long InvokedAt { get; } = invokedAt;

    /// <summary>When its reply had come; the end of time while there is none.</summary>
    public long ReturnedAt { get; private set; } = long.MaxValue;

    /// <summary>The simulated clock when it was sent, milliseconds since 1970.</summary>
    public long InvokedMs { get; } = invokedMs;

    /// <summary>The simulated clock when its reply had come, or the end of time.</summary>
    public long ReturnedMs { get; private set; } = long.MaxValue;

    /// <summary>The reply; null while there is none.</summary>
    public RespValue? Reply { get; private set; }

    /// <summary>The reply as a model answers it.</summary>
    public string? Text { get; private set; }

    /// <summary>The parts of the reply as a model answers them, where it has one for each command.</summary>
    public IReadOnlyList<string> Texts { get; private set; } = [];

    public bool IsAnswered => Reply != null;

    /// <summary>Whether the reply, if there is one, has as many parts as the request has commands.</summary>
    public bool AnswersEach => Reply == null || Reply.Items.Count == Request.Commands.Count;

    public void Return(RespValue reply, long at, long atMs)
    {
        Reply = reply;
        Text = Request.IsOfSeveral ? ReplyText.Of(reply) : TextOf(0, reply);
        Texts = Request.IsOfSeveral && AnswersEach ? [.. reply.Items.Select((item, i) => TextOf(i, item))] : [];
        ReturnedAt = at;
        ReturnedMs = atMs;
    }

    private string TextOf(int command, RespValue reply)
        => StreamReplyText.ForModel(Request.Commands[command], ReplyText.Of(reply));

    /// <inheritdoc/>
    public override string ToString()
    {
        var reply = Reply == null ? "(no reply)" : ReplyText.Of(Reply);
        var end = IsAnswered ? ReturnedAt.ToString(System.Globalization.CultureInfo.InvariantCulture) : "...";
        var untilMs = IsAnswered ? ReturnedMs - SimulatedClock.StartMs : -1;
        return $"[{InvokedAt}-{end}, {InvokedMs - SimulatedClock.StartMs}-{untilMs} ms] "
            + $"client {Client}: {Request} -> {ReplyText.Shorten(reply)}";
    }
}
