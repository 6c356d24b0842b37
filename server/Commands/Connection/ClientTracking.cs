using Strata.Server.Clients;
using Strata.Server.Clients.Tracking;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Connection;

/// <summary>CLIENT TRACKING &lt;ON | OFF&gt; [REDIRECT client-id] [OPTIN] [OPTOUT] [NOLOOP]</summary>
internal static class ClientTracking
{
    private const int FirstOption = 3;

    public static readonly CommandRow Row = new(
        "tracking", -3, CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection,
        Since = "6.0.0",
        Summary = "Has the connection told of changes of the keys that it reads, which it may keep until then.",
        Differs = "Keys are tracked by database: a change of a key in another one than where it was read is not told. "
            + "SWAPDB has clients drop all they have kept. What a pipeline changes is told behind its replies. "
            + "BCAST and PREFIX are refused.",
        Complexity = "O(1)",
        Syntax = "<ON | OFF> [REDIRECT client-id] [OPTIN] [OPTOUT] [NOLOOP]",
    };

    private static void Execute(CommandContext context)
    {
        if (!TryReadOptions(context, out var flags, out var redirection))
        {
            return;
        }

        if (context.IsWord(2, "off"u8))
        {
            context.Session.Track(null);
            context.Reply.Ok();
        }
        else if (!context.IsWord(2, "on"u8))
        {
            context.Reply.Error(Errors.Syntax);
        }
        else if (Problem(context.Session.Tracking, flags) is { Length: > 0 } problem)
        {
            context.Reply.Error(problem);
        }
        else
        {
            var tracking = context.Session.Tracking ?? new TrackingState();
            tracking.Use(flags, redirection);
            context.Session.Track(tracking);
            context.Reply.Ok();
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
            else
            {
                var isKnown = context.IsWord(i, "bcast"u8) || (context.IsWord(i, "prefix"u8) && i + 1 < context.Count);
                context.Reply.Error(
                    isKnown ? "ERR CLIENT TRACKING does not know BCAST mode here"u8 : Errors.Syntax);
                return false;
            }
        }

        return true;
    }

    private static TrackingFlags FlagOf(CommandContext context, int index)
        => context.IsWord(index, "optin"u8) ? TrackingFlags.OptIn
            : context.IsWord(index, "optout"u8) ? TrackingFlags.OptOut
            : context.IsWord(index, "noloop"u8) ? TrackingFlags.NoLoop
            : TrackingFlags.None;

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
    private static string Problem(TrackingState? current, TrackingFlags flags)
    {
        const TrackingFlags Both = TrackingFlags.OptIn | TrackingFlags.OptOut;
        var before = (current?.Flags ?? TrackingFlags.None) & Both;
        return (flags & Both) == Both ? "ERR You can't specify both OPTIN mode and OPTOUT mode"
            : ((flags & Both) | before) == Both
                ? "ERR You can't switch OPTIN/OPTOUT mode before disabling tracking for this client, and then "
                    + "re-enabling it with a different mode."
            : "";
    }
}
