using System.Globalization;
using Strata.Server.Clients.Tracking;
using Strata.Server.Messaging;
using Strata.Server.Options;

namespace Strata.Server.Clients;

/// <summary>A line of CLIENT LIST, with Redis 7.4's fields in its order, and behind them those of Redis 8 that tell
/// what the client has cost.</summary>
internal static class ClientDescription
{
    /// <summary>How it differs from Redis's.</summary>
    public const string Differs = "There is no fixed reply buffer, so rbs, rbp and obl are 0, and buffers that all "
        + "connections of a thread share are not counted.";

    /// <summary>Describes a client, on its worker. The line has no end.</summary>
    /// <remarks>Buffers are those of the connection alone: what is in the worker's own passes through within one turn.
    /// There is no fixed reply buffer (rbs, rbp, obl); unsent replies are one block (oll, omem).</remarks>
    /// <param name="session">The client.</param>
    /// <param name="nowMs">Milliseconds since 1970.</param>
    /// <param name="argumentBytes">Of the client that asks, the bytes of its command's arguments.</param>
    /// <param name="longestName">How much is shown at most of each name that the client has given itself.</param>
    public static string Of(Session session, long nowMs, long argumentBytes, int longestName = int.MaxValue)
    {
        var connection = session.Connection;
        var input = connection.PendingCapacityBytes;
        var output = connection.OutputCapacityBytes;
        var arguments = connection.Input.ParsedBytes + session.SuspendedBytes + argumentBytes;
        return string.Create(
            CultureInfo.InvariantCulture,
            $"id={session.Id} addr={connection.Address.RemoteText} laddr={connection.Address.LocalText} "
            + $"fd={connection.Descriptor} name={Shorten(session.Name, longestName)} "
            + $"age={Seconds(nowMs - connection.CreatedMs)} "
            + $"idle={Seconds(nowMs - connection.LastInteractionMs)} flags={Flags(session)} db={session.Database} "
            + $"sub={session.CountOf(ChannelKind.Channel)} psub={session.CountOf(ChannelKind.Pattern)} "
            + $"ssub={session.CountOf(ChannelKind.Shard)} "
            + $"multi={session.Transaction.Queue?.Count ?? -1} watch={session.Transaction.WatchedKeys} "
            + $"qbuf={connection.PendingBytes - connection.Input.ParsedBytes} "
            + $"qbuf-free={input - connection.PendingBytes} "
            + $"argv-mem={arguments} multi-mem={session.Transaction.Queue?.Bytes ?? 0} "
            + $"rbs=0 rbp=0 obl=0 oll={(output > 0 ? 1 : 0)} "
            + $"omem={output} tot-mem={session.MemoryBytes + argumentBytes} events={Events(connection)} "
            + $"cmd={session.LastCommand?.FullName ?? "NULL"} user={UserOf(session)} "
            + $"redir={session.Tracking?.Redirection ?? -1} resp={session.Protocol} "
            + $"lib-name={Shorten(session.LibraryName, longestName)} "
            + $"lib-ver={Shorten(session.LibraryVersion, longestName)} "
            + $"tot-net-in={connection.Input.ConsumedBytes} tot-net-out={connection.Output.SentBytes} "
            + $"tot-cmds={session.Cost.Commands}");
    }

    private static string Shorten(string name, int most) => name.Length <= most ? name : $"{name.AsSpan(0, most)}...";

    private static string UserOf(Session session) => ConfigurationText.ToUnicode(session.User.Current.Name);

    private static long Seconds(long ms) => Math.Max(0, ms / 1000);

    private static string Flags(Session session)
    {
        var flags = (session.IsMonitor ? "O" : "")
            + (session.IsSubscriber ? "P" : "")
            + (session.Transaction.IsOpen ? "x" : "")
            + (session.WaitsLong ? "b" : "")
            + (session.Tracking == null ? "" : "t")
            + (session.Tracking is { IsRedirectionBroken: true } ? "R" : "")
            + (session.Tracking?.Has(TrackingFlags.Broadcast) == true ? "B" : "")
            + (session.Transaction.IsTouched ? "d" : "")
            + (session.ClosesAfterReply ? "c" : "")
            + (session.Connection.Address.UnixPath != null ? "U" : "")
            + (session.NoEvict ? "e" : "")
            + (session.NoTouch ? "T" : "");
        return flags.Length == 0 ? "N" : flags;
    }

    private static string Events(Network.Connection connection)
        => (connection.WatchesInput ? "r" : "") + (connection.WatchesOutput ? "w" : "");
}
