namespace Strata.Server.Resp;

/// <summary>Bytes of one reply that lie in parts.</summary>
internal static class ReplyParts
{
    /// <summary>How many they are together.</summary>
    /// <exception cref="OverflowException">More than 2 GiB.</exception>
    public static int LengthOf(IReadOnlyList<byte[]> parts)
    {
        var length = 0;
        foreach (var part in parts)
        {
            length = checked(length + part.Length);
        }

        return length;
    }
}
