using Strata.Server.Options.Syntax;

namespace Strata.Server.Options.Keys;

/// <summary>Keys about users and what they may do.</summary>
public static class AccessKeys
{
    public static readonly ConfigurationKey AclPubSubDefault = new(
        "acl-pubsub-default",
        new EnumerationSyntax("allchannels", "resetchannels"),
        "resetchannels",
        "Which channels a new user may name: all, or none until a rule allows some.");

    /// <summary>The section of these keys.</summary>
    public static readonly ConfigurationSection Section = new("Access", [AclPubSubDefault]);
}
