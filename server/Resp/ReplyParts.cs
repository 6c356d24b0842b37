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

    /// <summary>Writes a bulk string of them.</summary>
    public static void Bulk(this ReplyWriter reply, IReadOnlyList<byte[]> parts)
    {
        reply.BeginBulk(LengthOf(parts));
        WriteTo(reply, parts);
    }

    /// <summary>Writes them, and the end of the string that they are.</summary>
    public static void WriteTo(ReplyWriter reply, IReadOnlyList<byte[]> parts)
    {
        foreach (var part in parts)
        {
            reply.Raw(part);
        }

        reply.Raw("\r\n"u8);
    }
}
