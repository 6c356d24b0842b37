using Strata.Tests.Support;

namespace Strata.Tests.Simulation;

/// <summary>A request and what became of it, as its client saw it. Times are those of the history: no two are equal.
/// </summary>
/// <param name="client">Who sent it.</param>
/// <param name="request">What was sent.</param>
/// <param name="invokedAt">When its first byte was about to be sent.</param>
internal sealed class Operation(int client, SimulatedRequest request, long invokedAt)
{
    public int Client { get; } = client;

    public SimulatedRequest Request { get; } = request;

    public long InvokedAt { get; } = invokedAt;

    /// <summary>When its reply had come; the end of time while there is none.</summary>
    public long ReturnedAt { get; private set; } = long.MaxValue;

    /// <summary>The reply; null while there is none.</summary>
    public RespValue? Reply { get; private set; }

    public bool IsAnswered => Reply != null;

    public void Return(RespValue reply, long at)
    {
        Reply = reply;
        ReturnedAt = at;
    }

    /// <inheritdoc/>
    public override string ToString()
    {
        var reply = Reply == null ? "(no reply)" : ReplyText.Of(Reply);
        var end = IsAnswered ? ReturnedAt.ToString(System.Globalization.CultureInfo.InvariantCulture) : "...";
        return $"[{InvokedAt}-{end}] client {Client}: {Request} -> {ReplyText.Shorten(reply)}";
    }
}
