using System.Text;

namespace Strata.Server.Clients;

/// <summary>Names that clients give themselves. CLIENT LIST separates its fields by blanks, so that a name must be
/// printable ASCII without any.</summary>
internal static class ClientAttribute
{
    /// <summary>What Redis calls the names of connections.</summary>
    public const string ConnectionName = "Client names";

    /// <summary>Redis's error for a name that is not allowed, or that it is too long.</summary>
    /// <param name="what">What the name is, as Redis begins the sentence.</param>
    /// <param name="name">The name.</param>
    public static string ErrorOf(string what, ReadOnlySpan<byte> name)
        => IsTooLong(name)
            ? $"ERR {what} can have at most {ServerLimits.LongestNameBytes} bytes"
            : $"ERR {what} cannot contain spaces, newlines or special characters.";

    /// <summary>Reads a name; it may be empty.</summary>
    /// <returns>False when a character is not allowed, or there are too many.</returns>
    public static bool TryRead(ReadOnlySpan<byte> bytes, out string text)
    {
        var isAllowed = !IsTooLong(bytes) && !bytes.ContainsAnyExceptInRange((byte)'!', (byte)'~');
        text = isAllowed ? Encoding.ASCII.GetString(bytes) : "";
        return isAllowed;
    }

    private static bool IsTooLong(ReadOnlySpan<byte> bytes) => bytes.Length > ServerLimits.LongestNameBytes;
}
