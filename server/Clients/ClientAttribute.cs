using System.Text;

namespace Strata.Server.Clients;

/// <summary>Names that clients give themselves. CLIENT LIST separates its fields by blanks, so that a name must be
/// printable ASCII without any.</summary>
internal static class ClientAttribute
{
    /// <summary>Redis's error for a connection name that is not allowed.</summary>
    public static ReadOnlySpan<byte> WrongName =>
        "ERR Client names cannot contain spaces, newlines or special characters."u8;

    /// <summary>Reads a name; it may be empty.</summary>
    /// <returns>False when a character is not allowed.</returns>
    public static bool TryRead(ReadOnlySpan<byte> bytes, out string text)
    {
        var isAllowed = !bytes.ContainsAnyExceptInRange((byte)'!', (byte)'~');
        text = isAllowed ? Encoding.ASCII.GetString(bytes) : "";
        return isAllowed;
    }
}
