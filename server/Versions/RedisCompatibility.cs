namespace Strata.Server.Versions;

/// <summary>What clients that ask which Redis they talk to are told.</summary>
public static class RedisCompatibility
{
    /// <summary>The Redis version whose commands, replies and error texts this server follows: HELLO and INFO give it,
    /// because clients choose their features by it. The version of this program is <see cref="ProductVersion"/>.
    /// </summary>
    public const string Version = "7.2.4";

    /// <summary>The same as scripts compare it: a byte for each part.</summary>
    public const int VersionNumber = 0x00070204;
}
