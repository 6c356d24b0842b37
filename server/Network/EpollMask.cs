namespace Strata.Server.Network;

/// <summary>The bits of an epoll event mask that connections use.</summary>
internal static class EpollMask
{
    public const uint In = 0x001;
    public const uint Out = 0x004;
    public const uint Error = 0x008;
    public const uint HangUp = 0x010;
    public const uint ReadHangUp = 0x2000;
}
