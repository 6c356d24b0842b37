using Strata.Server.Clients;
using Strata.Server.Clients.Tracking;
using Strata.Server.Commands.Model;
using Strata.Server.Text;

namespace Strata.Server.Commands.Connection;

/// <summary>CLIENT TRACKING &lt;ON | OFF&gt; [REDIRECT client-id] [PREFIX prefix [PREFIX prefix ...]] [BCAST] [OPTIN]
/// [OPTOUT] [NOLOOP]</summary>
internal static class ClientTracking
{
    private const int FirstOption = 3;

    public static readonly CommandRow Row = new(
        "tracking",
        -3,
        CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.HoldsMemory,
        KeySpec.None,
        Execute)
    {
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection,
        Since = "6.0.0",
        Summary = "Has the connection told of changes of the keys that it reads, which it may keep until then.",
        Differs = "Keys are tracked by database: a change of a key in another one than where it was read is not told. "
            + "SWAPDB has clients drop all they have kept. What a pipeline changes is told behind its replies. "
            + "Of a prefix 1024 bytes count.",
        Complexity = "O(log N) for each prefix, where N is the number of those that the connection has",
        Syntax = "<ON | OFF> [REDIRECT client-id] [PREFIX prefix [PREFIX prefix ...]] [BCAST] [OPTIN] [OPTOUT] "
            + "[NOLOOP]",
    };

    private static void Execute(CommandContext context)
    {
        var prefixes = new PrefixSet();
        if (!TryReadOptions(context, out var flags, out var redirection))
        {
            return;
        }

        var current = context.Session.Tracking;
        if (context.IsWord(2, "off"u8))
        {
            context.Session.Track(null);
            context.Reply.Ok();
        }
        else if (!context.IsWord(2, "on"u8))
        {
            context.Reply.Error(Errors.Syntax);
        }
        else if (Problem(current, flags, HasPrefixes(context)) is { Length: > 0 } problem)
        {
            context.Reply.Error(problem);
        }
        else if (FindOverlap(context, current, prefixes) is { } overlap)
        {
            context.Reply.Error(overlap);
        }
        else
        {
            Begin(context.Session, current ?? new TrackingState(), flags, redirection, prefixes);
            context.Reply.Ok();
        }
    }

    private static void Begin(
        Session session, TrackingState tracking, TrackingFlags flags, long redirection, PrefixSet prefixes)
    {
        tracking.Use(flags, redirection);
        session.Track(tracking);
        if (!tracking.Has(TrackingFlags.Broadcast))
        {
            return;
        }

        foreach (var prefix in prefixes.Count > 0 ? prefixes.All : [[]])
        {
            session.Worker.Tracking.AddPrefix(session, tracking, prefix);
        }
    }

    private static bool TryReadOptions(CommandContext context, out TrackingFlags flags, out long redirection)
    {
        (flags, redirection) = (TrackingFlags.None, 0);
        for (var i = FirstOption; i < context.Count; i++)
        {
            if (context.IsWord(i, "redirect"u8) && i + 1 < context.Count)
            {
                if (!TryReadRedirection(context, ++i, ref redirection))
                {
                    return false;
                }
            }
            else if (FlagOf(context, i) is not TrackingFlags.None and var flag)
            {
                flags |= flag;
            }
            else if (IsPrefix(context, i))
            {
                i++;
            }
            else
            {
                context.Reply.Error(Errors.Syntax);
                return false;
            }
        }

        return true;
    }

    private static TrackingFlags FlagOf(CommandContext context, int index)
        => context.IsWord(index, "bcast"u8) ? TrackingFlags.Broadcast
            : context.IsWord(index, "optin"u8) ? TrackingFlags.OptIn
            : context.IsWord(index, "optout"u8) ? TrackingFlags.OptOut
            : context.IsWord(index, "noloop"u8) ? TrackingFlags.NoLoop
            : TrackingFlags.None;

    private static bool IsPrefix(CommandContext context, int index)
        => context.IsWord(index, "prefix"u8) && index + 1 < context.Count;

    private static bool HasPrefixes(CommandContext context) => PrefixesOf(context).Any();

    /// <summary>The prefixes of options that were read, and are right.</summary>
    private static IEnumerable<byte[]> PrefixesOf(CommandContext context)
    {
        for (var i = FirstOption; i < context.Count; i++)
        {
            if (IsPrefix(context, i))
            {
                yield return context.Argument(i + 1).ToArray();
            }

            i += IsPrefix(context, i) || context.IsWord(i, "redirect"u8) ? 1 : 0;
        }
    }

    /// <summary>What is wrong with the prefixes, of which none may be another's beginning; null if nothing.</summary>
    /// <param name="context">The command.</param>
    /// <param name="current">What the client has by now.</param>
    /// <param name="prefixes">Where they go.</param>
    private static string? FindOverlap(CommandContext context, TrackingState? current, PrefixSet prefixes)
    {
        foreach (var prefix in PrefixesOf(context))
        {
            if (current?.Prefixes.TryFindOverlap(prefix, out var overlap) == true)
            {
                return Overlaps(prefix, "an existing", overlap);
            }

            if (prefixes.TryFindOverlap(prefix, out overlap))
            {
                return Overlaps(overlap, "another provided", prefix); // The one that was given first is named first.
            }

            prefixes.Add(prefix);
        }

        return null;
    }

    private static string Overlaps(byte[] prefix, string which, byte[] other)
        => $"ERR Prefix '{EchoedArgument.Of(prefix)}' overlaps with {which} prefix '{EchoedArgument.Of(other)}'. "
            + "Prefixes for a single client must not overlap.";

    private static bool TryReadRedirection(CommandContext context, int index, ref long redirection)
    {
        if (redirection != 0)
        {
            context.Reply.Error("ERR A client can only redirect to a single other client"u8);
            return false;
        }

        if (!context.TryInteger(index, out redirection))
        {
            return false;
        }

        // It may go later: that is told then.
        if (context.Services.Directory.Find(redirection) != null)
        {
            return true;
        }

        context.Reply.Error("ERR The client ID you want redirect to does not exist"u8);
        return false;
    }

    /// <summary>What is wrong with what is asked for, given what is; nothing if nothing.</summary>
    private static string Problem(TrackingState? current, TrackingFlags flags, bool hasPrefixes)
    {
        const TrackingFlags Both = TrackingFlags.OptIn | TrackingFlags.OptOut;
        var before = (current?.Flags ?? TrackingFlags.None) & Both;
        var isBroadcast = (flags & TrackingFlags.Broadcast) != 0;
        return hasPrefixes && !isBroadcast ? "ERR PREFIX option requires BCAST mode to be enabled"
            : current != null && current.Has(TrackingFlags.Broadcast) != isBroadcast
                ? "ERR You can't switch BCAST mode on/off before disabling tracking for this client, and then "
                    + "re-enabling it with a different mode."
            : isBroadcast && (flags & Both) != 0 ? "ERR OPTIN and OPTOUT are not compatible with BCAST"
            : (flags & Both) == Both ? "ERR You can't specify both OPTIN mode and OPTOUT mode"
            : ((flags & Both) | before) == Both
                ? "ERR You can't switch OPTIN/OPTOUT mode before disabling tracking for this client, and then "
                    + "re-enabling it with a different mode."
            : "";
    }
}
