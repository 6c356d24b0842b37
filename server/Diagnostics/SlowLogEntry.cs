namespace Strata.Server.Diagnostics;

/// <summary>One slow command; it never changes but for its link.</summary>
/// <param name="Id">Grows with every entry of the server.</param>
/// <param name="UnixMs">When it ended, milliseconds since 1970.</param>
/// <param name="Microseconds">How long it took.</param>
/// <param name="Arguments">Its arguments, shortened.</param>
/// <param name="ClientAddress">Where the client came from.</param>
/// <param name="ClientName">The client's name, or nothing.</param>
public sealed record SlowLogEntry(
    long Id,
    long UnixMs,
    long Microseconds,
    IReadOnlyList<byte[]> Arguments,
    string ClientAddress,
    string ClientName)
{
    // Of managed memory, with what the collector has not come to yet: an entry with its list, and an argument with its
    // place in that.
    private const int OwnBytes = 400;
    private const int ArgumentBytes = 80;

    // Beside so many parts that are in use the collector keeps one that is not: entries are old when they go.
    private const int PartsInUse = 2;

    private SlowLogEntry? _older;

    /// <summary>What the entry takes, bytes.</summary>
    public long MemoryBytes { get; }
        = (OwnBytes + Arguments.Sum(argument => (long)argument.Length + ArgumentBytes))
            * (PartsInUse + 1) / PartsInUse;

    /// <summary>The entry of the same worker before this one, as long as it is kept.</summary>
    internal SlowLogEntry? Older
    {
        get => Volatile.Read(ref _older);
        set => Volatile.Write(ref _older, value);
    }
}
