namespace Strata.Server.Resp;

/// <summary>Text for people in replies; in RESP2 a bulk string.</summary>
internal static class VerbatimText
{
    /// <summary>Text of a format named in three letters ("txt").</summary>
    public static void Verbatim(this ReplyWriter reply, ReadOnlySpan<byte> format, ReadOnlySpan<byte> text)
    {
        WriteHeader(reply, format, text.Length);
        reply.Raw(text);
        reply.Raw("\r\n"u8);
    }

    /// <summary>Likewise, of a text in parts.</summary>
    public static void Verbatim(this ReplyWriter reply, ReadOnlySpan<byte> format, IReadOnlyList<byte[]> parts)
    {
        WriteHeader(reply, format, ReplyParts.LengthOf(parts));
        ReplyParts.WriteTo(reply, parts);
    }

    private static void WriteHeader(ReplyWriter reply, ReadOnlySpan<byte> format, int length)
    {
        if (reply.Protocol != 3)
        {
            reply.BeginBulk(length);
            return;
        }

        reply.Number((byte)'=', length + format.Length + 1);
        reply.Raw(format);
        reply.Raw(":"u8);
    }
}
