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

    public static readonly ConfigurationKey AclLogMaxLen = new(
        "acllog-max-len",
        new IntegerSyntax(0, long.MaxValue),
        "128",
        "How many refusals ACL LOG keeps.");

    public static readonly ConfigurationKey AclFile = new(
        "aclfile",
        new TextSyntax("path"),
        "\"\"",
        "The file of the users, one in a line, which the start and ACL LOAD read and ACL SAVE writes; then the conf "
        + "file may have no 'user' lines, and requirepass has no effect. Empty for none.")
    {
        Change = ChangeRule.AtStart,
    };

    /// <summary>The section of these keys.</summary>
    public static readonly ConfigurationSection Section = new("Access", [AclFile, AclPubSubDefault, AclLogMaxLen]);
}
