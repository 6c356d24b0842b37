using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Text;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>What XCLAIM is asked for: the ids from the fifth argument on, and the options behind them.</summary>
internal struct ClaimArguments
{
    /// <summary>Index of the first id.</summary>
    public const int FirstId = 5;

    private const long NotGiven = -1;

    /// <summary>How long entries were given to nobody, at least, milliseconds; 0 for any time.</summary>
    public long MinIdleMs { get; private set; }

    /// <summary>Index behind the last id.</summary>
    public int End { get; private set; }

    /// <summary>When the entries are to have been given, milliseconds since 1970.</summary>
    public long DeliveredMs { get; private set; }

    /// <summary>How often; negative where it was not said.</summary>
    public long Deliveries { get; private set; }

    /// <summary>Whether entries that are not pending become so.</summary>
    public bool Forces { get; private set; }

    /// <summary>Whether ids alone are answered, and nothing counts as given.</summary>
    public bool IsJustId { get; private set; }

    /// <summary>Up to which id the group has read, at least.</summary>
    public StreamId LastId { get; private set; }

    /// <summary>Reads the arguments. An error is answered.</summary>
    public static bool TryParse(CommandContext context, out ClaimArguments claim)
    {
        claim = new ClaimArguments { DeliveredMs = NotGiven, Deliveries = NotGiven, End = FirstId };
        if (!StreamArguments.TryInteger(
            context, 4, "ERR Invalid min-idle-time argument for XCLAIM"u8, out var minIdleMs))
        {
            return false;
        }

        claim.MinIdleMs = Math.Max(0, minIdleMs);
        while (claim.End < context.Count && StreamIdText.TryParse(context.Argument(claim.End), 0, out _))
        {
            claim.End++;
        }

        for (var i = claim.End; i < context.Count; i++)
        {
            if (!claim.TryOption(context, ref i))
            {
                return false;
            }
        }

        // What lies ahead, or before all time, is no reason to refuse: clients' clocks differ.
        if (claim.DeliveredMs < 0 || claim.DeliveredMs > context.ClockMs)
        {
            claim.DeliveredMs = context.ClockMs;
        }

        return true;
    }

    private bool TryOption(CommandContext context, ref int i)
    {
        if (context.IsWord(i, "force"u8))
        {
            Forces = true;
            return true;
        }

        if (context.IsWord(i, "justid"u8))
        {
            IsJustId = true;
            return true;
        }

        return i + 1 < context.Count ? TryValue(context, ref i) : Refuse(context, i);
    }

    private bool TryValue(CommandContext context, ref int i)
    {
        if (context.IsWord(i, "idle"u8))
        {
            var isRead = StreamArguments.TryInteger(
                context, ++i, "ERR Invalid IDLE option argument for XCLAIM"u8, out var idleMs);
            DeliveredMs = context.ClockMs - idleMs;
            return isRead;
        }

        if (context.IsWord(i, "time"u8))
        {
            var isRead = StreamArguments.TryInteger(
                context, ++i, "ERR Invalid TIME option argument for XCLAIM"u8, out var timeMs);
            DeliveredMs = timeMs;
            return isRead;
        }

        if (context.IsWord(i, "retrycount"u8))
        {
            var isRead = StreamArguments.TryInteger(
                context, ++i, "ERR Invalid RETRYCOUNT option argument for XCLAIM"u8, out var count);
            Deliveries = count;
            return isRead;
        }

        if (context.IsWord(i, "lastid"u8))
        {
            var isRead = StreamArguments.TryId(context, ++i, out var id);
            LastId = id;
            return isRead;
        }

        return Refuse(context, i);
    }

    private static bool Refuse(CommandContext context, int i)
    {
        context.Reply.Error($"ERR Unrecognized XCLAIM option '{EchoedArgument.Of(context.Argument(i))}'");
        return false;
    }
}
