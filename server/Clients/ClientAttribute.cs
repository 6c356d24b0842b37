using System.Text;

namespace Strata.Server.Clients;

/// <summary>Names that clients give themselves. CLIENT LIST separates its fields by blanks, so that a name must be
/// printable ASCII without any.</summary>
internal static class ClientAttribute
{
    /// <summary>Redis's error for a connection name that is not allowed, or that it is too long.</summary>
    public static string ErrorOf(ReadOnlySpan<byte> name)
        => IsTooLong(name)
            ? $"ERR Client names have at most {ServerLimits.LongestNameBytes} bytes"
            : "ERR Client names cannot contain spaces, newlines or special characters.";

    /// <summary>Reads a name; it may be empty.</summary>
    /// <returns>False when a character is not allowed, or there are too many.</returns>
    public static bool TryRead(ReadOnlySpan<byte> bytes, out string text)
    {
        var isAllowed = !IsTooLong(bytes) && !bytes.ContainsAnyExceptInRange((byte)'!', (byte)'~');
        text = isAllowed ? Encoding.ASCII.GetString(bytes) : "";
        return isAllowed;
    }

    /// <summary>Whether a name has more bytes than the server holds of one.</summary>
    public static bool IsTooLong(ReadOnlySpan<byte> bytes) => bytes.Length > ServerLimits.LongestNameBytes;
}
