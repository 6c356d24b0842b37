using Strata.Server.Commands.Model;

namespace Strata.Server.Clients.Tracking;

/// <summary>CLIENT TRACKING of one client while it is on. Belongs to the client's worker.</summary>
internal sealed class TrackingState
{
    // The container of CLIENT CACHING, which was the last command but for others of it.
    private CommandRow? _cachingGivenBy;

    /// <summary>What was asked for.</summary>
    public TrackingFlags Flags { get; private set; }

    /// <summary>How what the client reads is remembered.</summary>
    public TrackedClient Client { get; set; }

    /// <summary>The client that is told in this one's place; 0 for none.</summary>
    public long Redirection { get; private set; }

    /// <summary>Whether that client was found to have gone.</summary>
    public bool IsRedirectionBroken { get; set; }

    /// <summary>Whether CLIENT CACHING holds for the next command.</summary>
    public bool IsCachingGiven => _cachingGivenBy != null;

    /// <summary>Of a client in BCAST mode, the beginnings of the keys that it is told of.</summary>
    public PrefixSet Prefixes { get; } = new();

    /// <summary>Memory that the prefixes take, bytes.</summary>
    public long PrefixBytes { get; set; }

    /// <summary>Whether what is read now is remembered.</summary>
    public bool RemembersReads
        => Has(TrackingFlags.Broadcast) ? false
            : Has(TrackingFlags.OptIn) ? IsCachingGiven
            : !Has(TrackingFlags.OptOut) || !IsCachingGiven;

    /// <summary>Whether a flag is set.</summary>
    public bool Has(TrackingFlags flag) => (Flags & flag) != 0;

    /// <summary>CLIENT TRACKING ON: takes the place of what was asked for before.</summary>
    public void Use(TrackingFlags flags, long redirection)
    {
        Flags = flags;
        Redirection = redirection;
        IsRedirectionBroken = false;
    }

    /// <summary>CLIENT CACHING: holds for the next command that is not one of the same container.</summary>
    public void GiveCaching(CommandRow container) => _cachingGivenBy = container;

    /// <summary>A command has ended that is in no transaction.</summary>
    public void OnCommandEnded(CommandRow? row)
    {
        if (row?.Container != _cachingGivenBy)
        {
            _cachingGivenBy = null;
        }
    }
}
