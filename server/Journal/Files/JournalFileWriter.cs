using Strata.Storage;
using Strata.Storage.Memory;

namespace Strata.Server.Journal.Files;

/// <summary>
/// Appends to one file of the journal, batch by batch, each with its checksum (<see cref="JournalLines"/>). One owner
/// at a time, no allocation. What could not be written the caller gives again later: nothing is lost by it, and nothing
/// written twice. After a failed sync the file is lost (<see cref="IsLost"/>), since nobody can tell what of it is on
/// the disk.
/// </summary>
internal sealed unsafe class JournalFileWriter : IDisposable
{
    private readonly IJournalFile _file;
    private readonly ulong _salt;
    private readonly byte[] _line = GC.AllocateUninitializedArray<byte>(2 * JournalLines.MaxBytes, pinned: true);
    private int _lineBytes;
    private int _lineWritten;
    private bool _isOpen;
    private bool _isSealing;
    private long _batchStart;
    private uint _crc;
    private long _sealedOffset;
    private long _markedOffset = -1;
    private bool _isDisposed;
    private JournalError _lost;

    /// <summary>Goes on behind what is in a file.</summary>
    /// <param name="file">The file, which is this one's from here on.</param>
    /// <param name="sequence">Its number in the manifest.</param>
    /// <param name="header">What its first line says.</param>
    /// <param name="sizeBytes">How long it is; all of it is on the disk.</param>
    /// <param name="offset">The journal's offset at its end.</param>
    private JournalFileWriter(IJournalFile file, long sequence, in JournalHeader header, long sizeBytes, long offset)
    {
        _file = file;
        _salt = header.Salt;
        Sequence = sequence;
        SizeBytes = sizeBytes;
        Offset = offset;
        _sealedOffset = offset;
        SyncedOffset = offset;
    }

    /// <summary>The file's number in the manifest.</summary>
    public long Sequence { get; }

    /// <summary>Where the file lies, for messages.</summary>
    public string Path => _file.Path;

    /// <summary>How long the file is, bytes.</summary>
    public long SizeBytes { get; private set; }

    /// <summary>The journal's offset at the end: bytes of commands since it began, without lines of ours.</summary>
    public long Offset { get; private set; }

    /// <summary>The journal's offset up to which all is on the disk, with its checksums.</summary>
    public long SyncedOffset { get; private set; }

    /// <summary>Bytes of commands in the batch at work; 0 between batches.</summary>
    public long BatchBytes => Offset - _sealedOffset;

    /// <summary>Whether a sync has failed: nothing is written any more, and every call has the same error.</summary>
    public bool IsLost => _lost.IsError;

    /// <summary>Begins a new file: its header is on the disk when this returns without an error.</summary>
    /// <param name="file">The file, empty; this one's from here on, but for an error.</param>
    /// <param name="sequence">Its number in the manifest.</param>
    /// <param name="header">What its first line is to say.</param>
    /// <param name="writer">The writer; null with an error.</param>
    public static JournalError Begin(
        IJournalFile file, long sequence, in JournalHeader header, out JournalFileWriter? writer)
    {
        writer = null;
        var line = stackalloc byte[JournalLines.MaxBytes];
        var length = JournalLines.WriteHeader(new Span<byte>(line, JournalLines.MaxBytes), header);
        var error = file.Write(0, line, length, out _);
        if (error.IsError)
        {
            return error;
        }

        error = file.Sync();
        if (!error.IsError)
        {
            writer = new JournalFileWriter(file, sequence, header, length, header.Offset);
        }

        return error;
    }

    /// <summary>Goes on in a file that was read to its end: what is in it is on the disk when this returns without an
    /// error.</summary>
    /// <param name="file">The file; this one's from here on, but for an error.</param>
    /// <param name="sequence">Its number in the manifest.</param>
    /// <param name="end">What the reader has found at its end.</param>
    /// <param name="writer">The writer; null with an error.</param>
    public static JournalError Resume(
        IJournalFile file, long sequence, in JournalEnd end, out JournalFileWriter? writer)
    {
        Invariant.Check(end.CanResume, "a file that goes on ends with a whole batch");
        writer = null;
        var error = file.GetLength(out var length);
        if (error.IsError)
        {
            return error;
        }

        Invariant.Check(length == end.SizeBytes, "a file that goes on is as long as when it was read, and cut");
        error = file.Sync();
        if (!error.IsError)
        {
            writer = new JournalFileWriter(file, sequence, new JournalHeader(end.Salt, 0), length, end.Offset);
        }

        return error;
    }

    /// <summary>Appends commands, whole or in pieces, to the batch at work, or to a new one.</summary>
    /// <param name="bytes">RESP.</param>
    /// <param name="length">How many bytes.</param>
    /// <param name="written">How many were written: fewer only with an error. The others are to be given again later,
    /// and nothing else before.</param>
    public JournalError Write(byte* bytes, long length, out long written)
    {
        written = 0;
        var error = Open();
        if (error.IsError)
        {
            return error;
        }

        error = _file.Write(SizeBytes, bytes, length, out written);
        _crc = Crc32C.Continue(_crc, bytes, written);
        SizeBytes += written;
        Offset += written;
        return error;
    }

    /// <summary>Begins a batch with the time, as Redis writes it with <c>aof-timestamp-enabled</c>.</summary>
    /// <param name="unixSeconds">The time.</param>
    public JournalError Stamp(long unixSeconds)
    {
        Invariant.Check(!_isOpen, "the time stands at the beginning of a batch");
        var error = Flush();
        if (error.IsError)
        {
            return error;
        }

        AddOpening();
        AddToBatch(JournalLines.WriteStamp(_line.AsSpan(_lineBytes), unixSeconds));
        return Flush();
    }

    /// <summary>Ends the batch at work with its checksum: from then on it counts. To be called where the commands end
    /// that belong together, and again after an error.</summary>
    public JournalError EndBatch()
    {
        var error = Flush();
        if (error.IsError || !_isOpen)
        {
            return error;
        }

        // What is on the disk so far proves later that it was whole, should it be found not to be.
        var checksum = JournalLines.EndChecksum(_crc, Offset, SyncedOffset);
        var seal = new JournalSeal(checksum, Offset, SizeBytes - _batchStart, SyncedOffset);
        _lineBytes = JournalLines.WriteSeal(_line, seal);
        _isSealing = true;
        return Flush();
    }

    /// <summary>Has all batches that were ended lie on the disk when it returns without an error.</summary>
    public JournalError Sync()
    {
        var sealedOffset = _sealedOffset;
        var error = IsLost ? _lost : _file.Sync();
        if (error.IsError)
        {
            _lost = error;
            return error;
        }

        SyncedOffset = sealedOffset;
        return default;
    }

    /// <summary>Appends a line which says how far all is on the disk, if none does yet: what is damaged before it is
    /// never taken for an end that was not written. Between batches, when there is nothing else to do.</summary>
    public JournalError Mark()
    {
        var error = Flush();
        if (error.IsError || _isOpen || _markedOffset == SyncedOffset)
        {
            return error;
        }

        var checksum = JournalLines.MarkChecksum(_salt, Offset, SyncedOffset);
        _lineBytes = JournalLines.WriteSeal(_line, new JournalSeal(checksum, Offset, 0, SyncedOffset));
        _markedOffset = SyncedOffset;
        return Flush();
    }

    /// <summary>Ends the file: the batch at work with its checksum, all on the disk, and a mark that says so. To be
    /// called again later after an error, unless the file is lost. More may follow nevertheless.</summary>
    public JournalError Finish()
    {
        var error = EndBatch();
        error = error.IsError ? error : Sync();
        error = error.IsError ? error : Mark();
        return error.IsError ? error : Sync();
    }

    /// <summary>Closes the file as it is.</summary>
    public void Dispose()
    {
        _isDisposed = true;
        _file.Dispose();
    }

    private JournalError Open()
    {
        if (_isOpen && _lineBytes == 0)
        {
            return _lost;
        }

        var error = Flush();
        if (error.IsError || _isOpen)
        {
            return error;
        }

        AddOpening();
        return Flush();
    }

    private void AddOpening()
    {
        _isOpen = true;
        _batchStart = SizeBytes;
        _crc = JournalLines.BeginChecksum(_salt);
        AddToBatch(JournalLines.WriteOpening(_line, _salt));
    }

    private void AddToBatch(int bytes)
    {
        fixed (byte* line = _line)
        {
            _crc = Crc32C.Continue(_crc, line + _lineBytes, bytes);
        }

        _lineBytes += bytes;
    }

    /// <summary>Writes what there is of lines.</summary>
    private JournalError Flush()
    {
        Invariant.Check(!_isDisposed, "a file that is written to is open");
        if (IsLost || _lineBytes == 0)
        {
            return _lost;
        }

        fixed (byte* line = _line)
        {
            var error = _file.Write(SizeBytes, line + _lineWritten, _lineBytes - _lineWritten, out var written);
            _lineWritten += (int)written;
            SizeBytes += written;
            if (error.IsError)
            {
                return error;
            }
        }

        _lineBytes = 0;
        _lineWritten = 0;
        if (_isSealing)
        {
            _isSealing = false;
            _isOpen = false;
            _sealedOffset = Offset;
        }

        return default;
    }
}
