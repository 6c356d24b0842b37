namespace Strata.Server.Network.Transport;

/// <summary>What a transport can be watched for and tells of: the bits of an epoll event mask.</summary>
internal static class Readiness
{
    /// <summary>There is something to read, or the end of it.</summary>
    public const uint In = 0x001;

    /// <summary>What was not taken can be flushed again.</summary>
    public const uint Out = 0x004;

    /// <summary>The connection is broken; told unasked.</summary>
    public const uint Error = 0x008;

    /// <summary>Both ends are closed; told unasked.</summary>
    public const uint HangUp = 0x010;

    /// <summary>The client sends no more, though what it sent before may not have been read.</summary>
    public const uint ReadHangUp = 0x2000;
}
