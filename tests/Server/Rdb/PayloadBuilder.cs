using System.Buffers.Binary;
using System.Text;
using Strata.Server.Rdb;

namespace Strata.Tests.Server.Rdb;

/// <summary>Writes RDB byte by byte, as Redis's source describes it.</summary>
internal sealed class PayloadBuilder
{
    private readonly List<byte> _bytes = [];

    public PayloadBuilder()
    {
    }

    public PayloadBuilder(params byte[] bytes)
    {
        _bytes.AddRange(bytes);
    }

    public byte[] Bytes => [.. _bytes];

    public PayloadBuilder Byte(int value)
    {
        _bytes.Add((byte)value);
        return this;
    }

    public PayloadBuilder Raw(params byte[] bytes)
    {
        _bytes.AddRange(bytes);
        return this;
    }

    public PayloadBuilder Text(string text) => Raw(Encoding.Latin1.GetBytes(text));

    /// <summary>A string in its plainest form.</summary>
    public PayloadBuilder String(byte[] bytes)
    {
        _bytes.AddRange(RdbFormat.StringHeader(bytes.Length));
        return Raw(bytes);
    }

    public PayloadBuilder String(string text) => String(Encoding.Latin1.GetBytes(text));

    public PayloadBuilder Double(double value) => Int64(BitConverter.DoubleToInt64Bits(value));

    public PayloadBuilder Int64(long value)
    {
        Span<byte> bytes = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(bytes, value);
        return Raw(bytes.ToArray());
    }

    public PayloadBuilder Int32(int value)
    {
        Span<byte> bytes = stackalloc byte[sizeof(int)];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, value);
        return Raw(bytes.ToArray());
    }

    /// <summary>A ziplist around entries, each of them with its encoding but without the length of the one before.
    /// </summary>
    public static byte[] Ziplist(params byte[][] entries)
    {
        var body = new PayloadBuilder();
        var (previous, last) = (0, 10);
        foreach (var entry in entries)
        {
            last = 10 + body._bytes.Count;
            var start = body._bytes.Count;
            _ = previous < 254 ? body.Byte(previous) : body.Byte(254).Int32(previous);
            body.Raw(entry);
            previous = body._bytes.Count - start;
        }

        return new PayloadBuilder()
            .Int32(11 + body._bytes.Count).Int32(last).Byte(entries.Length).Byte(entries.Length >> 8)
            .Raw(body.Bytes).Byte(255).Bytes;
    }

    /// <summary>A text as an entry of a ziplist.</summary>
    public static byte[] ZiplistText(string text) => text.Length switch
    {
        < 64 => new PayloadBuilder().Byte(text.Length).Text(text).Bytes,
        < 1 << 14 => new PayloadBuilder().Byte(0x40 | (text.Length >> 8)).Byte(text.Length).Text(text).Bytes,
        _ => new PayloadBuilder().Byte(0x80).Byte(text.Length >> 24).Byte(text.Length >> 16).Byte(text.Length >> 8)
            .Byte(text.Length).Text(text).Bytes,
    };

    /// <summary>The payload of DUMP with this content.</summary>
    public byte[] Payload(int version = 10)
    {
        var crc = default(Crc64);
        crc.Add(Bytes);
        return [.. Bytes, .. DumpFooter.Make(version, crc)];
    }
}
