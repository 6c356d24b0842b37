using System.Buffers.Text;
using Strata.Storage.Memory;

namespace Strata.Server.Journal.Files;

/// <summary>
/// The lines of ours in the journal's files. They begin with <c>#</c>, so that Redis 7 and redis-check-aof skip them,
/// wherever they stand between commands. A file is a header, then batches and marks:
/// <code>
/// #STRATA journal 1 salt 0123456789abcdef offset 1000 crc32c 01234567
/// #STRATA batch 0123456789abcdef
/// (#TS:1700000000, and commands)
/// #STRATA crc32c 01234567 offset 2000 bytes 1032 synced 1000
/// </code>
/// A file that was made ahead has <c>follows</c> in the place of its offset, which its first mark or batch tells.
/// The checksum of a batch (CRC-32C) is that of the salt, of all bytes from the batch's own line on to the one behind
/// it, and of the two offsets in that, numbers as eight bytes, the lowest first. A mark is the last line alone, of no
/// bytes. What stands where a batch could begin, and is none, was written by another server.
/// </summary>
internal static unsafe class JournalLines
{
    /// <summary>The longest line, bytes; all are shorter.</summary>
    public const int MaxBytes = 128;

    /// <summary>Bytes of the line that a batch begins with.</summary>
    public const int OpeningBytes = 32;

    private const int SaltDigits = 16;
    private const int ChecksumDigits = 8;
    private const char Hex = 'x';

    /// <summary>What all lines of ours begin with.</summary>
    public static ReadOnlySpan<byte> Prefix => "#STRATA "u8;

    private static ReadOnlySpan<byte> Opening => "#STRATA batch "u8;

    private static ReadOnlySpan<byte> HeaderStart => "#STRATA journal 1 salt "u8;

    private static ReadOnlySpan<byte> SealStart => "#STRATA crc32c "u8;

    private static ReadOnlySpan<byte> StampStart => "#TS:"u8;

    private static ReadOnlySpan<byte> OffsetWord => " offset "u8;

    private static ReadOnlySpan<byte> FollowsWord => " follows"u8;

    private static ReadOnlySpan<byte> ChecksumWord => " crc32c "u8;

    private static ReadOnlySpan<byte> LineEnd => "\r\n"u8;

    /// <summary>What the checksum of a batch begins with.</summary>
    public static uint BeginChecksum(ulong salt) => Crc32C.Continue(Crc32C.Begin, salt);

    /// <summary>The checksum of a batch.</summary>
    /// <param name="crc">That of its bytes.</param>
    /// <param name="offset">The journal's offset at its end.</param>
    /// <param name="synced">The journal's offset up to which all is on the disk.</param>
    public static uint EndChecksum(uint crc, long offset, long synced)
        => ~Crc32C.Continue(Crc32C.Continue(crc, (ulong)offset), (ulong)synced);

    /// <summary>The checksum of a mark.</summary>
    public static uint MarkChecksum(ulong salt, long offset, long synced)
        => EndChecksum(BeginChecksum(salt), offset, synced);

    /// <summary>Writes the line that a file begins with.</summary>
    /// <returns>Its bytes.</returns>
    public static int WriteHeader(Span<byte> line, in JournalHeader header)
    {
        var length = 0;
        Put(line, ref length, HeaderStart);
        PutHex(line, ref length, header.Salt, SaltDigits);
        if (header.Offset == JournalHeader.Follows)
        {
            Put(line, ref length, FollowsWord);
        }
        else
        {
            Put(line, ref length, OffsetWord);
            PutNumber(line, ref length, header.Offset);
        }

        var checksum = ChecksumOf(line[..length]);
        Put(line, ref length, ChecksumWord);
        PutHex(line, ref length, checksum, ChecksumDigits);
        Put(line, ref length, LineEnd);
        return length;
    }

    /// <summary>Reads the line that a file begins with.</summary>
    /// <param name="text">The file's first bytes.</param>
    /// <param name="header">What it says.</param>
    /// <param name="length">Its bytes.</param>
    /// <returns>False where it is not as it was written.</returns>
    public static bool TryReadHeader(ReadOnlySpan<byte> text, out JournalHeader header, out int length)
    {
        header = default;
        length = 0;
        var words = new LineWords(text);
        var offset = JournalHeader.Follows;
        if (!words.Take(HeaderStart) || !words.TakeHex(SaltDigits, out var salt)
            || !(words.Take(FollowsWord) || (words.Take(OffsetWord) && words.TakeNumber(out offset))))
        {
            return false;
        }

        var checksum = ChecksumOf(text[..words.Length]);
        if (!words.Take(ChecksumWord) || !words.TakeHex(ChecksumDigits, out var stored) || !words.Take(LineEnd)
            || stored != checksum)
        {
            return false;
        }

        header = new JournalHeader(salt, offset);
        length = words.Length;
        return true;
    }

    /// <summary>Writes the line that a batch begins with, <see cref="OpeningBytes"/>.</summary>
    public static int WriteOpening(Span<byte> line, ulong salt)
    {
        var length = 0;
        Put(line, ref length, Opening);
        PutHex(line, ref length, salt, SaltDigits);
        Put(line, ref length, LineEnd);
        return length;
    }

    /// <summary>Whether a batch of the file begins with this text.</summary>
    public static bool IsOpening(ReadOnlySpan<byte> text, ulong salt)
    {
        var words = new LineWords(text);
        return words.Take(Opening) && words.TakeHex(SaltDigits, out var found) && words.Take(LineEnd) && found == salt;
    }

    /// <summary>Writes the line behind a batch, or a mark.</summary>
    /// <returns>Its bytes.</returns>
    public static int WriteSeal(Span<byte> line, in JournalSeal seal)
    {
        var length = 0;
        Put(line, ref length, SealStart);
        PutHex(line, ref length, seal.Checksum, ChecksumDigits);
        Put(line, ref length, OffsetWord);
        PutNumber(line, ref length, seal.Offset);
        Put(line, ref length, " bytes "u8);
        PutNumber(line, ref length, seal.Bytes);
        Put(line, ref length, " synced "u8);
        PutNumber(line, ref length, seal.Synced);
        Put(line, ref length, LineEnd);
        return length;
    }

    /// <summary>Reads the line behind a batch, or a mark.</summary>
    /// <param name="text">Where it begins.</param>
    /// <param name="seal">What it says.</param>
    /// <param name="length">Its bytes.</param>
    public static bool TryReadSeal(ReadOnlySpan<byte> text, out JournalSeal seal, out int length)
    {
        seal = default;
        length = 0;
        var words = new LineWords(text);
        if (!words.Take(SealStart) || !words.TakeHex(ChecksumDigits, out var checksum)
            || !words.Take(OffsetWord) || !words.TakeNumber(out var offset)
            || !words.Take(" bytes "u8) || !words.TakeNumber(out var bytes)
            || !words.Take(" synced "u8) || !words.TakeNumber(out var synced) || !words.Take(LineEnd))
        {
            return false;
        }

        seal = new JournalSeal((uint)checksum, offset, bytes, synced);
        length = words.Length;
        return true;
    }

    /// <summary>Writes Redis's line of the time.</summary>
    /// <returns>Its bytes.</returns>
    public static int WriteStamp(Span<byte> line, long unixSeconds)
    {
        var length = 0;
        Put(line, ref length, StampStart);
        PutNumber(line, ref length, unixSeconds);
        Put(line, ref length, LineEnd);
        return length;
    }

    /// <summary>Reads Redis's line of the time.</summary>
    /// <param name="text">Where it begins.</param>
    /// <param name="length">Its bytes.</param>
    public static bool TryReadStamp(ReadOnlySpan<byte> text, out int length)
    {
        var words = new LineWords(text);
        var isStamp = words.Take(StampStart) && words.TakeNumber(out _) && words.Take(LineEnd);
        length = isStamp ? words.Length : 0;
        return isStamp;
    }

    private static uint ChecksumOf(ReadOnlySpan<byte> text)
    {
        fixed (byte* bytes = text)
        {
            return ~Crc32C.Continue(Crc32C.Begin, bytes, text.Length);
        }
    }

    private static void Put(Span<byte> line, ref int length, ReadOnlySpan<byte> text)
    {
        text.CopyTo(line[length..]);
        length += text.Length;
    }

    private static void PutNumber(Span<byte> line, ref int length, long number)
    {
        _ = Utf8Formatter.TryFormat(number, line[length..], out var digits);
        length += digits;
    }

    private static void PutHex(Span<byte> line, ref int length, ulong number, int digits)
    {
        _ = Utf8Formatter.TryFormat(number, line[length..], out var written, new(Hex, (byte)digits));
        length += written;
    }
}
