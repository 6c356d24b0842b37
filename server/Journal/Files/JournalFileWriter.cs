using Strata.Storage;
using Strata.Storage.Memory;

namespace Strata.Server.Journal.Files;

/// <summary>
/// Appends to one file of the journal, batch by batch, each with its checksum (<see cref="JournalLines"/>). A small
/// batch goes to the file in one piece, when it is ended. One owner at a time, who may have the file synced beside it
/// (<see cref="SyncFile"/>); no allocation. What could not be written
/// is kept, or the caller gives it again later: nothing is lost by it, and nothing written twice. After a failed sync
/// the file is lost (<see cref="IsLost"/>), since nobody can tell what of it is on the disk.
/// </summary>
internal sealed unsafe class JournalFileWriter : IDisposable
{
    private readonly IJournalFile _file;
    private readonly ulong _salt;

    // What is to be written next; behind commands there is always room for a line, and for a byte of filler.
    private readonly byte[] _pending = GC.AllocateUninitializedArray<byte>(
        ServerLimits.JournalGatheredBytes + JournalLines.MaxBytes + 1, pinned: true);
    private int _pendingBytes;
    private int _pendingWritten;
    private bool _isOpen;
    private bool _isSealing;
    private long _batchStart;
    private uint _crc;
    private long _sealedOffset;
    private long _markedOffset = -1;
    private bool _isFollowing;
    private bool _isDisposed;
    private JournalError _lost;

    // How long the file is with the filler behind what was written; less than that where there is none.
    private long _filledBytes;
    private JournalFiller? _filler;
    private bool _isFillerRefused;

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

    /// <summary>By how many bytes at a time the file is made longer ahead of what is written, so that
    /// <see cref="Sync"/> is faster: for where somebody waits for each. 0 where it is not; else several lines of
    /// filler.</summary>
    public int FillAheadBytes { get; set; }

    /// <summary>How long the file is by now, bytes, without filler.</summary>
    public long SizeBytes { get; private set; }

    /// <summary>The journal's offset at the end: bytes of commands since it began, without lines of ours.</summary>
    public long Offset { get; private set; }

    /// <summary>The journal's offset at the end of the last batch that was ended.</summary>
    public long SealedOffset => _sealedOffset;

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
            writer = new JournalFileWriter(file, sequence, header, length, Math.Max(header.Offset, 0));
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
    /// <param name="written">How many were taken: fewer only with an error. The others are to be given again later, and
    /// nothing else before.</param>
    public JournalError Write(byte* bytes, long length, out long written)
    {
        written = 0;
        var error = Open();
        if (error.IsError)
        {
            return error;
        }

        if (length <= ServerLimits.JournalGatheredBytes - _pendingBytes)
        {
            new ReadOnlySpan<byte>(bytes, (int)length).CopyTo(_pending.AsSpan(_pendingBytes));
            AddToBatch((int)length);
            Offset += length;
            written = length;
            return default;
        }

        error = Flush();
        if (error.IsError)
        {
            return error;
        }

        error = _file.Write(SizeBytes, bytes, length, out written);
        _crc = Crc32C.Continue(_crc, bytes, written);
        SizeBytes += written;
        Offset += written;
        return error.IsError ? error : FillAhead();
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
        AddToBatch(JournalLines.WriteStamp(_pending.AsSpan(_pendingBytes), unixSeconds));
        return default;
    }

    /// <summary>Ends the batch at work with its checksum: from then on it counts. To be called where the commands end
    /// that belong together, and again after an error.</summary>
    public JournalError EndBatch()
    {
        if (!_isOpen || _isSealing)
        {
            return Flush();
        }

        // What is on the disk so far proves later that it was whole, should it be found not to be.
        var checksum = JournalLines.EndChecksum(_crc, Offset, SyncedOffset);
        var seal = new JournalSeal(checksum, Offset, EndOfPending - _batchStart, SyncedOffset);
        _pendingBytes += JournalLines.WriteSeal(_pending.AsSpan(_pendingBytes), seal);
        _isSealing = true;
        return Flush();
    }

    /// <summary>Has all batches that were ended lie on the disk when it returns without an error.</summary>
    public JournalError Sync()
    {
        var error = SyncFile();
        OnFileSynced(_sealedOffset, error);
        return error;
    }

    /// <summary>The part of it that waits for the disk: beside the owner, who may write meanwhile, and is told of the
    /// end (<see cref="OnFileSynced"/>); one at a time.</summary>
    public JournalError SyncFile() => IsLost ? _lost : _file.Sync();

    /// <summary>A sync has ended.</summary>
    /// <param name="sealedOffset">What <see cref="SealedOffset"/> was when it began.</param>
    /// <param name="error">What it has come to.</param>
    public void OnFileSynced(long sealedOffset, in JournalError error)
    {
        if (error.IsError)
        {
            _lost = error;
        }
        else if (!_isFollowing)
        {
            SyncedOffset = sealedOffset;
        }
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
        _pendingBytes = JournalLines.WriteSeal(_pending, new JournalSeal(checksum, Offset, 0, SyncedOffset));
        _markedOffset = SyncedOffset;
        return Flush();
    }

    /// <summary>Goes on behind another file, before anything was written. With an error it is written with what
    /// follows.</summary>
    /// <param name="offset">The journal's offset at the end of that.</param>
    /// <param name="syncedOffset">Up to which all is on the disk of it.</param>
    public JournalError Follow(long offset, long syncedOffset)
    {
        Offset = _sealedOffset = offset;
        SyncedOffset = syncedOffset;
        _isFollowing = true;
        return Mark();
    }

    /// <summary>All is on the disk of the file before, or there is a base in its place: from now on a sync of this file
    /// means that of all. With an error the line that says so is written with what follows.</summary>
    /// <param name="offset">The journal's offset up to which all is on the disk.</param>
    public JournalError OnFollowedSynced(long offset)
    {
        _isFollowing = false;
        SyncedOffset = Math.Max(SyncedOffset, offset);
        return Mark();
    }

    /// <summary>Ends the file where another follows, whose next line says that all of this is on the disk. Filler that
    /// cannot be cut stays: whoever reads it skips it.</summary>
    public JournalError End()
    {
        var error = Sync();
        _ = error.IsError ? error : CutFiller();
        return error;
    }

    /// <summary>Ends the file: the batch at work with its checksum, all on the disk, and a mark that says so. To be
    /// called again later after an error, unless the file is lost. More may follow nevertheless.</summary>
    public JournalError Finish()
    {
        var error = EndBatch();
        error = error.IsError ? error : Sync();
        error = error.IsError ? error : Mark();
        error = error.IsError ? error : CutFiller();
        return error.IsError ? error : Sync();
    }

    /// <summary>Closes the file as it is.</summary>
    public void Dispose()
    {
        _isDisposed = true;
        _filler?.Dispose();
        _file.Dispose();
    }

    /// <summary>Makes the file longer when little of the filler is left. Where the disk refuses that, it is done
    /// without.</summary>
    private JournalError FillAhead()
    {
        if (_isFillerRefused)
        {
            return CutFiller();
        }

        if (FillAheadBytes == 0 || SizeBytes + JournalFiller.LineBytes <= _filledBytes)
        {
            return default;
        }

        _filler ??= new JournalFiller();
        var end = SizeBytes + FillAheadBytes;
        end -= end % JournalFiller.LineBytes;
        var error = _filler.Write(_file, Math.Max(SizeBytes, _filledBytes), end);
        _filledBytes = end;
        _isFillerRefused = error.IsError;
        return error.IsError ? CutFiller() : default;
    }

    private JournalError CutFiller()
    {
        if (_filledBytes <= SizeBytes)
        {
            return default;
        }

        var error = _file.Truncate(SizeBytes);
        _filledBytes = error.IsError ? _filledBytes : 0;
        return error;
    }

    /// <summary>Where the file will end when what is pending was written.</summary>
    private long EndOfPending => SizeBytes + _pendingBytes - _pendingWritten;

    /// <summary>Begins a batch if none is at work.</summary>
    private JournalError Open()
    {
        if (_isOpen && !_isSealing)
        {
            return _lost;
        }

        var error = Flush();
        if (!error.IsError)
        {
            AddOpening();
        }

        return error;
    }

    private void AddOpening()
    {
        _isOpen = true;
        _batchStart = EndOfPending;
        _crc = JournalLines.BeginChecksum(_salt);
        AddToBatch(JournalLines.WriteOpening(_pending.AsSpan(_pendingBytes), _salt));
    }

    /// <summary>Bytes of the batch stand behind what is pending.</summary>
    private void AddToBatch(int bytes)
    {
        fixed (byte* pending = _pending)
        {
            _crc = Crc32C.Continue(_crc, pending + _pendingBytes, bytes);
        }

        _pendingBytes += bytes;
    }

    /// <summary>Writes what is pending.</summary>
    private JournalError Flush()
    {
        Invariant.Check(!_isDisposed, "a file that is written to is open");
        if (IsLost || _pendingBytes == 0)
        {
            return _lost;
        }

        fixed (byte* pending = _pending)
        {
            var left = _pendingBytes - _pendingWritten;
            pending[_pendingBytes] = JournalFiller.First;
            var end = SizeBytes + left;
            var filler = end < _filledBytes && JournalFiller.IsLineEnd(end) ? 1 : 0;
            var error = _file.Write(SizeBytes, pending + _pendingWritten, left + filler, out var written);
            written = Math.Min(written, left);
            _pendingWritten += (int)written;
            SizeBytes += written;
            if (error.IsError)
            {
                return error;
            }
        }

        _pendingBytes = 0;
        _pendingWritten = 0;
        if (_isSealing)
        {
            _isSealing = false;
            _isOpen = false;
            _sealedOffset = Offset;
        }

        return FillAhead();
    }
}
