using System.Net;
using System.Net.Sockets;

namespace Strata.Server.Options;

/// <summary>One address of <c>bind</c>, in .NET's form of text.</summary>
/// <param name="Host">An IPv4 or IPv6 address, a host name, <c>*</c> (all of IPv4) or <c>::*</c> (all of IPv6).</param>
/// <param name="IsOptional">Whether the server starts without it when the machine does not have it.</param>
public readonly record struct BindAddress(string Host, bool IsOptional)
{
    /// <summary>Reads an address as the conf file has it, where a leading dash makes it optional.</summary>
    public static BindAddress Parse(string text)
    {
        var host = ConfigurationText.ToUnicode(text);
        return host.StartsWith('-') ? new BindAddress(host[1..], true) : new BindAddress(host, false);
    }

    /// <summary>The address, if it is one and not the name of a host.</summary>
    public IPAddress? Literal => Host switch
    {
        "*" => IPAddress.Any,
        "::*" => IPAddress.IPv6Any,
        _ => IPAddress.TryParse(Host, out var address) ? address : null, // The resolver takes none that means all.
    };

    /// <summary>The addresses to listen on, in the resolver's order.</summary>
    /// <exception cref="SocketException">The host name has no address.</exception>
    public IPAddress[] Resolve() => Literal is { } address ? [address] : Look(Host);

    private static IPAddress[] Look(string host)
    {
        try
        {
            return Dns.GetHostAddresses(host);
        }
        catch (ArgumentException)
        {
            throw new SocketException((int)SocketError.HostNotFound); // It is too long for a name.
        }
    }
}
