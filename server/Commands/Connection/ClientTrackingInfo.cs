using Strata.Server.Clients;
using Strata.Server.Clients.Tracking;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Connection;

/// <summary>CLIENT TRACKINGINFO</summary>
internal static class ClientTrackingInfo
{
    public static readonly CommandRow Row = new(
        "trackinginfo", 2, CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection,
        Since = "6.2.0",
        Summary = "Tells what CLIENT TRACKING was told.",
        Complexity = "O(1)",
    };

    private static void Execute(CommandContext context)
    {
        var (reply, tracking) = (context.Reply, context.Session.Tracking);
        string[] flags = [.. FlagsOf(tracking)];
        reply.Map(3);
        reply.Bulk("flags"u8);
        reply.Set(flags.Length);
        foreach (var flag in flags)
        {
            reply.Bulk(flag);
        }

        reply.Bulk("redirect"u8);
        reply.Integer(tracking?.Redirection ?? -1);
        reply.Bulk("prefixes"u8);
        reply.Array(tracking?.Prefixes.Count ?? 0);
        foreach (var prefix in tracking?.Prefixes.All ?? [])
        {
            reply.Bulk(prefix);
        }
    }

    private static IEnumerable<string> FlagsOf(TrackingState? tracking)
    {
        yield return tracking == null ? "off" : "on";
        if (tracking == null)
        {
            yield break;
        }

        if (tracking.Has(TrackingFlags.Broadcast))
        {
            yield return "bcast";
        }

        if (tracking.Has(TrackingFlags.OptIn))
        {
            yield return "optin";
        }

        if (tracking.Has(TrackingFlags.OptIn) && tracking.IsCachingGiven)
        {
            yield return "caching-yes";
        }

        if (tracking.Has(TrackingFlags.OptOut))
        {
            yield return "optout";
        }

        if (tracking.Has(TrackingFlags.OptOut) && tracking.IsCachingGiven)
        {
            yield return "caching-no";
        }

        if (tracking.Has(TrackingFlags.NoLoop))
        {
            yield return "noloop";
        }

        if (tracking.IsRedirectionBroken)
        {
            yield return "broken_redirect";
        }
    }
}
