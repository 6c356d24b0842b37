namespace Strata.Server.Commands.Model;

/// <summary>Which arguments of a command are channels, and what it does with them.</summary>
public enum ChannelUse
{
    /// <summary>It names none, or none that anybody has to be allowed.</summary>
    None,

    /// <summary>The first argument is one that something is sent to.</summary>
    Publish,

    /// <summary>All arguments are channels that are listened to.</summary>
    Subscribe,

    /// <summary>All arguments are patterns of channels that are listened to.</summary>
    SubscribeToPatterns,
}
