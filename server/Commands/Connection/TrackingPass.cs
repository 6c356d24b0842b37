using Strata.Server.Clients;
using Strata.Server.Clients.Tracking;
using Strata.Server.Commands.Model;
using Strata.Server.Text;

namespace Strata.Server.Commands.Connection;

/// <summary>
/// CLIENT TRACKING as it was sent: its options are read, its prefixes are compared with each other and with those that
/// the client has, and then they are taken; or those that there are given up. There may be many, so that it goes on in
/// steps between which others have their turn; its client does nothing else meanwhile. Nothing has changed before all
/// of it was found to be right.
/// </summary>
internal sealed class TrackingPass : IDisposable
{
    private const int FirstOption = 3;

    // How much is done before others have their turn: some tenths of a millisecond.
    private const int OptionsAtOnce = 1024;
    private const int PrefixesAtOnce = 64;

    private readonly PrefixSet _prefixes = new();
    private Func<CommandContext, bool> _step;
    private int _next = FirstOption;
    private TrackingFlags _flags;
    private long _redirection;
    private bool _hasPrefixes;
    private IEnumerator<byte[]>? _left;

    public TrackingPass()
    {
        _step = ReadOptions;
    }

    /// <summary>Goes on; in a transaction to the end.</summary>
    /// <returns>Whether it was answered.</returns>
    public bool Step(CommandContext context)
    {
        var isDone = _step(context);
        while (!isDone && context.IsInTransaction)
        {
            isDone = _step(context);
        }

        return isDone;
    }

    /// <inheritdoc/>
    public void Dispose() => _left?.Dispose();

    private static bool Refuse(CommandContext context, string error)
    {
        context.Reply.Error(error);
        return true;
    }

    private static bool RefuseSyntax(CommandContext context)
    {
        context.Reply.Error(Errors.Syntax);
        return true;
    }

    private bool ReadOptions(CommandContext context)
    {
        for (var end = Math.Min(context.Count, _next + OptionsAtOnce); _next < end; _next++)
        {
            if (context.IsWord(_next, "redirect"u8) && _next + 1 < context.Count)
            {
                if (!TryReadRedirection(context, ++_next))
                {
                    return true;
                }
            }
            else if (FlagOf(context, _next) is not TrackingFlags.None and var flag)
            {
                _flags |= flag;
            }
            else if (IsPrefix(context, _next))
            {
                _hasPrefixes = true;
                _next++;
            }
            else
            {
                return RefuseSyntax(context);
            }
        }

        return _next >= context.Count && Choose(context);
    }

    /// <summary>All options are read: goes on with what they ask for.</summary>
    private bool Choose(CommandContext context)
    {
        var current = context.Session.Tracking;
        if (context.IsWord(2, "off"u8))
        {
            _step = GiveUp;
            return GiveUp(context);
        }

        if (!context.IsWord(2, "on"u8))
        {
            return RefuseSyntax(context);
        }

        if (Problem(current) is { Length: > 0 } problem)
        {
            return Refuse(context, problem);
        }

        _next = FirstOption;
        _step = Compare;
        return Compare(context);
    }

    /// <summary>None of the prefixes may be another's beginning.</summary>
    private bool Compare(CommandContext context)
    {
        var existing = context.Session.Tracking?.Prefixes;
        for (var left = PrefixesAtOnce; left > 0 && _next < context.Count; _next++)
        {
            if (!IsPrefix(context, _next))
            {
                _next += context.IsWord(_next, "redirect"u8) ? 1 : 0;
                continue;
            }

            if (context.Argument(++_next).Length > ServerLimits.LongestNameBytes)
            {
                return Refuse(context, $"ERR A prefix has at most {ServerLimits.LongestNameBytes} bytes");
            }

            var prefix = context.Argument(_next).ToArray();
            if (existing?.TryFindOverlap(prefix, out var overlap) == true)
            {
                return Refuse(context, Overlaps(prefix, "an existing", overlap));
            }

            if (_prefixes.TryFindOverlap(prefix, out overlap))
            {
                // The one that was given first is named first.
                return Refuse(context, Overlaps(overlap, "another provided", prefix));
            }

            _prefixes.Add(prefix);
            left--;
        }

        return _next >= context.Count && Begin(context);
    }

    private bool Begin(CommandContext context)
    {
        var session = context.Session;
        var tracking = session.Tracking ?? new TrackingState();
        tracking.Use(_flags, _redirection);
        session.Track(tracking);
        if (tracking.Has(TrackingFlags.Broadcast))
        {
            IEnumerable<byte[]> prefixes = _hasPrefixes ? _prefixes.All : [[]];
            _left = prefixes.GetEnumerator();
        }

        _step = Take;
        return Take(context);
    }

    private bool Take(CommandContext context)
    {
        var session = context.Session;
        for (var left = PrefixesAtOnce; _left?.MoveNext() == true; left--)
        {
            session.Worker.Tracking.AddPrefix(session, session.Tracking!, _left.Current);
            if (left == 1)
            {
                return false;
            }
        }

        context.Reply.Ok();
        return true;
    }

    private bool GiveUp(CommandContext context)
    {
        var session = context.Session;
        for (var left = PrefixesAtOnce; session.Tracking is { } tracking && left > 0; left--)
        {
            if (!session.Worker.Tracking.TryRemovePrefix(session, tracking))
            {
                session.Track(null);
            }
        }

        if (session.Tracking != null)
        {
            return false;
        }

        context.Reply.Ok();
        return true;
    }

    private bool TryReadRedirection(CommandContext context, int index)
    {
        if (_redirection != 0)
        {
            context.Reply.Error("ERR A client can only redirect to a single other client"u8);
            return false;
        }

        if (!context.TryInteger(index, out _redirection))
        {
            return false;
        }

        // It may go later: that is told then.
        if (context.Services.Directory.Find(_redirection) != null)
        {
            return true;
        }

        context.Reply.Error("ERR The client ID you want redirect to does not exist"u8);
        return false;
    }

    private static TrackingFlags FlagOf(CommandContext context, int index)
        => context.IsWord(index, "bcast"u8) ? TrackingFlags.Broadcast
            : context.IsWord(index, "optin"u8) ? TrackingFlags.OptIn
            : context.IsWord(index, "optout"u8) ? TrackingFlags.OptOut
            : context.IsWord(index, "noloop"u8) ? TrackingFlags.NoLoop
            : TrackingFlags.None;

    private static bool IsPrefix(CommandContext context, int index)
        => context.IsWord(index, "prefix"u8) && index + 1 < context.Count;

    private static string Overlaps(byte[] prefix, string which, byte[] other)
        => $"ERR Prefix '{EchoedArgument.Of(prefix)}' overlaps with {which} prefix '{EchoedArgument.Of(other)}'. "
            + "Prefixes for a single client must not overlap.";

    /// <summary>What is wrong with what is asked for, given what is; nothing if nothing.</summary>
    private string Problem(TrackingState? current)
    {
        const TrackingFlags Both = TrackingFlags.OptIn | TrackingFlags.OptOut;
        var before = (current?.Flags ?? TrackingFlags.None) & Both;
        var isBroadcast = (_flags & TrackingFlags.Broadcast) != 0;
        return _hasPrefixes && !isBroadcast ? "ERR PREFIX option requires BCAST mode to be enabled"
            : current != null && current.Has(TrackingFlags.Broadcast) != isBroadcast
                ? "ERR You can't switch BCAST mode on/off before disabling tracking for this client, and then "
                    + "re-enabling it with a different mode."
            : isBroadcast && (_flags & Both) != 0 ? "ERR OPTIN and OPTOUT are not compatible with BCAST"
            : (_flags & Both) == Both ? "ERR You can't specify both OPTIN mode and OPTOUT mode"
            : ((_flags & Both) | before) == Both
                ? "ERR You can't switch OPTIN/OPTOUT mode before disabling tracking for this client, and then "
                    + "re-enabling it with a different mode."
            : "";
    }
}
