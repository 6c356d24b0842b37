using System.Text;

namespace Strata.Server.Commands;

/// <summary>Bytes of a client as an error text quotes them.</summary>
internal static class Quoted
{
    /// <summary>The bytes as characters (Latin-1), up to the first zero byte: Redis formats its errors as C strings.
    /// </summary>
    public static string Text(ReadOnlySpan<byte> bytes)
    {
        var end = bytes.IndexOf((byte)0);
        return Encoding.Latin1.GetString(end < 0 ? bytes : bytes[..end]);
    }
}
