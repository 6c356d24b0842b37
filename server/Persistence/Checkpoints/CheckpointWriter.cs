using System.Buffers.Binary;
using Strata.Server.Journal.Files;
using Strata.Server.Rdb;

namespace Strata.Server.Persistence.Checkpoints;

/// <summary>Writes the parts of a checkpoint, each with its checksum. Belongs to the thread that writes the file.
/// </summary>
/// <param name="sink">Where they go.</param>
/// <param name="salt">The file's.</param>
internal sealed class CheckpointWriter(IRdbSink sink, ulong salt)
{
    private long _parts;

    /// <summary>Bytes written by now.</summary>
    public long Length { get; private set; }

    /// <summary>Begins the file.</summary>
    /// <exception cref="IOException">It could not be written.</exception>
    public void Begin(CheckpointHeader header)
    {
        Send(JournalFileReader.CheckpointMagic);
        Part(CheckpointPart.Header, 0, header.ToBytes());
    }

    /// <summary>Writes a part; a longer one as several of them, of whole rows each. Nothing where there is nothing.
    /// </summary>
    /// <exception cref="IOException">It could not be written.</exception>
    public void Part(CheckpointPart kind, int shard, ReadOnlySpan<byte> bytes)
    {
        Span<byte> frame = stackalloc byte[CheckpointFormat.FrameBytes];
        var most = CheckpointFormat.MaxPartBytes;
        most -= most % Math.Max(1, CheckpointFormat.RowBytes(kind));
        while (bytes.Length > 0)
        {
            var part = bytes[..Math.Min(bytes.Length, most)];
            // The salt is in the header, whose own checksum does without.
            var salted = kind == CheckpointPart.Header ? 0 : salt;
            CheckpointFrame.Of(kind, shard, part, salted, Length).Write(frame);
            Send(frame);
            Send(part);
            _parts++;
            bytes = bytes[part.Length..];
        }
    }

    /// <summary>Ends the file.</summary>
    /// <exception cref="IOException">It could not be written.</exception>
    public void End()
    {
        Span<byte> count = stackalloc byte[CheckpointFormat.EndBytes];
        BinaryPrimitives.WriteInt64LittleEndian(count, _parts);
        Part(CheckpointPart.End, 0, count);
    }

    private void Send(ReadOnlySpan<byte> bytes)
    {
        sink.Write(bytes);
        Length += bytes.Length;
    }
}
