using System.Net;
using Strata.Server.Options;

namespace Strata.Server.Network;

/// <summary>Where a client comes from and which of the server's addresses it reached; of a Unix socket, its path.
/// </summary>
/// <param name="Remote">The client's end, or null where it is not of TCP.</param>
/// <param name="Local">The server's end, or null where it is not of TCP.</param>
/// <param name="UnixPath">The Unix socket's path, or null.</param>
public sealed record ClientAddress(IPEndPoint? Remote, IPEndPoint? Local, string? UnixPath)
{
    /// <summary>The address of all clients in the server's own process.</summary>
    public static readonly ClientAddress InProcess = new(null, null, null);

    /// <summary>Whether the client is on this machine: what protected mode asks.</summary>
    public bool IsLoopback => Remote == null || IPAddress.IsLoopback(Plain(Remote.Address));

    /// <summary>"addr" of CLIENT LIST.</summary>
    public string RemoteText => Remote == null ? PathText : Text(Remote);

    /// <summary>The client's address without the port; of a Unix socket its path.</summary>
    public string RemoteHost => Remote == null ? UnixPath ?? "in-process" : Plain(Remote.Address).ToString();

    /// <summary>"laddr" of CLIENT LIST.</summary>
    public string LocalText => Local == null ? PathText : Text(Local);

    private string PathText => $"{UnixPath ?? "in-process"}:0";

    /// <inheritdoc/>
    public override string ToString() => RemoteText;

    /// <summary>Whether what is guarded is open to the client.</summary>
    public bool MayUse(GuardedAccess access)
        => access == GuardedAccess.Yes || (access == GuardedAccess.Local && IsLoopback);

    private static string Text(IPEndPoint endPoint)
    {
        var address = Plain(endPoint.Address);
        return address.AddressFamily == System.Net.Sockets.AddressFamily.InterNetworkV6
            ? $"[{address}]:{endPoint.Port}"
            : $"{address}:{endPoint.Port}";
    }

    private static IPAddress Plain(IPAddress address) => address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;
}
