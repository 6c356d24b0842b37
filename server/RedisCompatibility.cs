namespace Strata.Server;

/// <summary>The Redis version whose commands, replies and error texts the server gives, as INFO and HELLO tell it to
/// clients that choose their features by it.</summary>
public static class RedisCompatibility
{
    /// <summary>Major, minor and patch number with dots between them.</summary>
    public const string Version = "7.2.6";
}
