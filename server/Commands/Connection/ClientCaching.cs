using Strata.Server.Clients;
using Strata.Server.Clients.Tracking;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Connection;

/// <summary>CLIENT CACHING &lt;YES | NO&gt;</summary>
internal static class ClientCaching
{
    public static readonly CommandRow Row = new(
        "caching", 3, CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection,
        Since = "6.0.0",
        Summary = "Says whether the keys of the next command, or transaction, are tracked.",
        Complexity = "O(1)",
        Syntax = "<YES | NO>",
    };

    private static void Execute(CommandContext context)
    {
        if (context.Session.Tracking is not { } tracking)
        {
            context.Reply.Error("ERR CLIENT CACHING can be called only when the client is in tracking mode with OPTIN "
                + "or OPTOUT mode enabled");
            return;
        }

        var isYes = context.IsWord(2, "yes"u8);
        if (!isYes && !context.IsWord(2, "no"u8))
        {
            context.Reply.Error(Errors.Syntax);
        }
        else if (!tracking.Has(isYes ? TrackingFlags.OptIn : TrackingFlags.OptOut))
        {
            context.Reply.Error(isYes
                ? "ERR CLIENT CACHING YES is only valid when tracking is enabled in OPTIN mode."u8
                : "ERR CLIENT CACHING NO is only valid when tracking is enabled in OPTOUT mode."u8);
        }
        else
        {
            tracking.GiveCaching(context.Row.Container!);
            context.Session.OnTrackingChanged();
            context.Reply.Ok();
        }
    }
}
