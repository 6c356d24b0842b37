using Strata.Storage.Memory;

namespace Strata.Server.Clients.Access;

/// <summary>Something that was refused, as often as it was in the same minute. Immutable.</summary>
/// <param name="Reason">Why.</param>
/// <param name="Context">Where.</param>
/// <param name="Object">The command's name, the key or the channel, or the verb that authenticates.</param>
/// <param name="UserName">To whom, one character a byte.</param>
/// <param name="ClientInfo">The client that was refused last, as CLIENT LIST describes it.</param>
/// <param name="CreatedMs">When it was first, milliseconds since 1970.</param>
internal sealed record AccessLogEntry(
    DenialReason Reason, AccessContext Context, byte[] Object, string UserName, string ClientInfo, long CreatedMs)
{
    private const int GroupedMs = 60_000;

    // The object, and its place in the list.
    private const int OwnBytes = 144;

    /// <summary>How often.</summary>
    public long Count { get; init; } = 1;

    /// <summary>Its number.</summary>
    public long Id { get; init; }

    /// <summary>When it was last, milliseconds since 1970.</summary>
    public long UpdatedMs { get; init; } = CreatedMs;

    /// <summary>Memory, bytes, about.</summary>
    public long SizeBytes
        => OwnBytes + ManagedSize.OfArray(Object.Length, sizeof(byte)) + ManagedSize.OfString(UserName.Length)
            + ManagedSize.OfString(ClientInfo.Length);

    /// <summary>Whether it is the same as another one, so that both are counted together.</summary>
    public bool IsSame(AccessLogEntry other)
        => Reason == other.Reason && Context == other.Context && Math.Abs(UpdatedMs - other.UpdatedMs) <= GroupedMs
            && UserName == other.UserName && Object.AsSpan().SequenceEqual(other.Object);
}
