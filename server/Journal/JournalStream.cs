using System.Buffers.Text;
using System.Runtime.InteropServices;

namespace Strata.Server.Journal;

/// <summary>
/// Makes of effects the bytes of the journal: RESP as Redis propagates it, with SELECT where the database is another,
/// and MULTI and EXEC around units of several effects. It gathers small ones, and hands on whole what is large. On the
/// journal's thread.
/// </summary>
internal sealed unsafe class JournalStream : IEffectReader, IDisposable
{
    private const int NoDatabase = -1;

    private readonly IJournalOutput _output;
    private readonly byte* _buffer;
    private int _length;
    private int _database = NoDatabase;
    private EffectFlags _flags;

    /// <summary>A stream of which nothing was written.</summary>
    public JournalStream(IJournalOutput output)
    {
        _output = output;
        _buffer = (byte*)NativeMemory.Alloc(ServerLimits.JournalBufferBytes);
    }

    /// <summary>Bytes since the last <see cref="EndBatch"/>.</summary>
    public long BatchBytes { get; private set; }

    /// <inheritdoc/>
    public void Begin(in EffectHeader header)
    {
        _flags = header.Flags;
        if (header.Database != _database)
        {
            Select(header.Database);
        }

        if (_flags == EffectFlags.FirstOfUnit)
        {
            Write("*1\r\n$5\r\nMULTI\r\n"u8);
        }
    }

    /// <inheritdoc/>
    public void Write(byte* bytes, int length)
    {
        BatchBytes += length;
        if (length > ServerLimits.JournalBufferBytes - _length)
        {
            Flush();
        }

        if (length > ServerLimits.JournalBufferBytes)
        {
            _output.Write(bytes, length);
            return;
        }

        Buffer.MemoryCopy(bytes, _buffer + _length, ServerLimits.JournalBufferBytes - _length, length);
        _length += length;
    }

    /// <inheritdoc/>
    public void End()
    {
        if (_flags == EffectFlags.LastOfUnit)
        {
            Write("*1\r\n$4\r\nEXEC\r\n"u8);
        }
    }

    /// <summary>Hands all on, as a batch that stands by itself. Not in the midst of a unit.</summary>
    public void EndBatch()
    {
        Flush();
        _output.EndBatch();
        BatchBytes = 0;
    }

    /// <summary>What follows goes to another file, where no database is selected.</summary>
    public void BeginFile() => _database = NoDatabase;

    /// <inheritdoc/>
    public void Dispose() => NativeMemory.Free(_buffer);

    private void Select(int database)
    {
        Span<byte> digits = stackalloc byte[8];
        _ = Utf8Formatter.TryFormat(database, digits, out var length);
        Span<byte> header = stackalloc byte[32];
        "*2\r\n$6\r\nSELECT\r\n$"u8.CopyTo(header);
        var position = "*2\r\n$6\r\nSELECT\r\n$"u8.Length;
        header[position++] = (byte)('0' + length);
        "\r\n"u8.CopyTo(header[position..]);
        Write(header[..(position + 2)]);
        Write(digits[..length]);
        Write("\r\n"u8);
        _database = database;
    }

    private void Write(ReadOnlySpan<byte> bytes)
    {
        fixed (byte* start = bytes)
        {
            Write(start, bytes.Length);
        }
    }

    private void Flush()
    {
        if (_length > 0)
        {
            _output.Write(_buffer, _length);
            _length = 0;
        }
    }
}
