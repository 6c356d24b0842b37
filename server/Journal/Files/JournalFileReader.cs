using Strata.Storage;
using Strata.Storage.Memory;

namespace Strata.Server.Journal.Files;

/// <summary>
/// Reads the commands of one file of the journal after the other, in a bounded buffer. Of a file of ours nothing is
/// given out that its checksum was not looked at first; a batch that is larger than the buffer is read twice for that.
/// Files of Redis, and what Redis has appended to ours, are read as Redis does.
/// <para>How a torn end is told from damage. Batches follow one another without a gap, and each tells how far all was
/// on the disk when it was written. One that is not as it was written is damage if a later one is, and says that this
/// one was on the disk; or if the file is not the last. Otherwise the power went, or the process ended, before it was
/// there: nobody was told that it is, and it is cut off with all behind it. A power loss may leave later batches whole,
/// since the disk writes in any order. The last file may have been begun before the disk had all of the one before
/// (<see cref="JournalHeader.Follows"/>): the two are looked at as if they were one.</para>
/// <para>How a torn end is told from what Redis appended. Each batch of ours begins with its own line, which holds a
/// number that is only in this file. What begins without one is another's, if it is whole commands to the end of the
/// file, but perhaps the last. If Redis appended to a batch that was torn, the two cannot be told apart until there is
/// more than a batch ever has; then the start is refused.</para>
/// </summary>
internal sealed unsafe class JournalFileReader : IDisposable
{
    private readonly FileWindow _window;
    private readonly JournalScan _scan;
    private readonly CommandWalk _walk;
    private readonly int _groupBytes;
    private IJournalFile? _file;
    private JournalReadOptions _options;
    private bool _isSealed;
    private bool _isMarked;
    private bool _isEnded;
    private ulong _salt;
    private long _offset;

    // Where the next batch or command begins.
    private long _place;

    // Bytes of filler just before that.
    private long _fillerBytes;

    // Where transactions have been walked through to.
    private long _trustedEnd;

    // What is being given out.
    private long _position;
    private long _unitEnd;
    private JournalSeal _seal;
    private bool _isReadAgain;
    private uint _crc;

    /// <summary>A reader, for one file after the other.</summary>
    /// <param name="budget">What its buffer is charged to.</param>
    /// <param name="bufferBytes">How much of a file is held in memory, bytes.</param>
    /// <exception cref="OutOfMemoryException">The system gives no memory.</exception>
    public JournalFileReader(MemoryBudget budget, int bufferBytes = ServerLimits.JournalReadBytes)
    {
        Invariant.Check(bufferBytes >= 4 * CommandWalk.MaxAnnotationBytes, "a buffer holds several lines");
        _window = new FileWindow(budget, bufferBytes);
        _scan = new JournalScan(_window);
        _walk = new CommandWalk(_window);
        _groupBytes = bufferBytes / 2;
    }

    /// <summary>How far the file was read, bytes.</summary>
    public long Position => _unitEnd;

    /// <summary>Whether it was written with checksums, at least in part.</summary>
    public bool HasChecksums { get; private set; }

    /// <summary>How the file ends, once all of it was read.</summary>
    public JournalEnd End { get; private set; }

    /// <summary>Whether a file holds an RDB, which commands may follow.</summary>
    /// <exception cref="JournalException">It cannot be read.</exception>
    public static bool IsRdb(IJournalFile file)
    {
        var start = stackalloc byte[6];
        file.Read(0, start, 6, out var read).ThrowIfError();
        var text = new ReadOnlySpan<byte>(start, read);
        return text.StartsWith("REDIS"u8) || text.SequenceEqual("VALKEY"u8);
    }

    /// <summary>What a checkpoint begins with.</summary>
    public static ReadOnlySpan<byte> CheckpointMagic => "STRATA checkpt\r\n"u8;

    /// <summary>What the name ends with of a base that is a checkpoint.</summary>
    public const string CheckpointEnding = ".base.checkpoint";

    /// <summary>Whether a file is a checkpoint: the base of a journal whose data is in the files of the tier. Its name
    /// is enough: one that does not begin as it must is a damaged one, and its tier is data all the same.</summary>
    /// <exception cref="JournalException">It cannot be read.</exception>
    public static bool IsCheckpoint(IJournalFile file)
    {
        if (file.Path.EndsWith(CheckpointEnding, StringComparison.Ordinal))
        {
            return true;
        }

        var start = stackalloc byte[16];
        file.Read(0, start, CheckpointMagic.Length, out var read).ThrowIfError();
        return CheckpointMagic.SequenceEqual(new ReadOnlySpan<byte>(start, read));
    }

    /// <summary>Whether a file was begun before the disk had all of the one before it, which then may end torn.
    /// </summary>
    /// <exception cref="JournalException">It cannot be read.</exception>
    public static bool IsBegunAhead(IJournalFile file)
    {
        var start = stackalloc byte[JournalLines.MaxBytes];
        file.Read(0, start, JournalLines.MaxBytes, out var read).ThrowIfError();
        return JournalLines.TryReadHeader(new ReadOnlySpan<byte>(start, read), out var header, out _)
            && header.Offset == JournalHeader.Follows;
    }

    /// <summary>Begins to read a file; it stays the caller's.</summary>
    /// <exception cref="JournalException">It cannot be read, or does not begin as it must.</exception>
    public void Begin(IJournalFile file, in JournalReadOptions options)
    {
        _file = file;
        _options = options;
        _window.Open(file);
        _walk.KnowsOnlyTimes = false;
        _isSealed = _isMarked = _isEnded = false;
        _salt = 0;
        _offset = Math.Max(options.ExpectedOffset, 0);
        _place = _position = _unitEnd = options.StartAt;
        _trustedEnd = 0;
        _fillerBytes = 0;
        End = default;
        if (options.StartAt == 0)
        {
            ReadHeader();
        }

        HasChecksums = _isSealed;
    }

    /// <summary>Reads on.</summary>
    /// <param name="stretch">Commands, which lie in memory until the next call.</param>
    /// <returns>False at the end of the file: see <see cref="End"/>.</returns>
    /// <exception cref="JournalException">The file is damaged, or cannot be read.</exception>
    public bool TryRead(out JournalStretch stretch)
    {
        while (_position == _unitEnd)
        {
            if (_isEnded || !(_isSealed ? NextBatch() : NextCommands()))
            {
                stretch = default;
                return false;
            }
        }

        stretch = NextPiece();
        return true;
    }

    /// <summary>Cuts off the torn end that was found.</summary>
    public JournalError Cut()
    {
        var error = _file!.Truncate(End.SizeBytes);
        return error.IsError ? error : _file.Sync();
    }

    /// <inheritdoc/>
    public void Dispose() => _window.Dispose();

    private void ReadHeader()
    {
        var text = _window.At(0, JournalLines.MaxBytes);
        if (JournalLines.TryReadHeader(text, out var header, out var length))
        {
            var isKnown = header.Offset != JournalHeader.Follows;
            if (isKnown && _options.ExpectedOffset >= 0 && header.Offset != _options.ExpectedOffset)
            {
                throw Damaged(0, $"it begins at the journal's offset {header.Offset}, and the file before it ends at "
                    + $"{_options.ExpectedOffset}: a part of one of them is missing");
            }

            _isSealed = true;
            _salt = header.Salt;
            _offset = isKnown ? header.Offset : _options.ExpectedOffset;
            _place = _position = _unitEnd = length;
            _scan.Begin(header.Salt);
        }
        else if (text.StartsWith(JournalLines.Prefix)
            || (text.StartsWith("#"u8) && !JournalLines.TryReadStamp(text, out _) && _scan.FindsSealLike(0)))
        {
            throw Damaged(0, "the line that it begins with, which all checksums need, is not as it was written");
        }
    }

    private bool NextBatch()
    {
        while (true)
        {
            if (_place == _window.Length)
            {
                return EndWell();
            }

            var text = _window.At(_place, JournalLines.MaxBytes);
            if (JournalLines.IsOpening(text, _salt))
            {
                return OpenBatch();
            }

            if (text[0] == JournalFiller.First && _scan.IsFiller(_place, out var fillerEnd))
            {
                _fillerBytes = fillerEnd - _place;
                _place = fillerEnd;
                continue;
            }

            text = _window.At(_place, JournalLines.MaxBytes); // It may have been looked at further on.
            if (_scan.IsMark(text, out var mark, out var lineBytes) && IsOffsetOf(mark.Offset))
            {
                _offset = mark.Offset;
                _place += lineBytes;
                _fillerBytes = 0;
                _isMarked = true;
                continue;
            }

            if (!IsOfAnotherServer(text))
            {
                return EndBadly();
            }

            _isSealed = false;
            _offset = Math.Max(_offset, 0);
            _fillerBytes = 0;
            return NextCommands();
        }
    }

    private bool OpenBatch()
    {
        if (!_scan.TryFindSeal(_place, out var sealAt, out _seal, out var lineBytes))
        {
            return EndBadly();
        }

        _isReadAgain = !_window.Holds(_place);
        var content = _place + JournalLines.OpeningBytes;
        var start = _window.At(_place, 2 * JournalLines.MaxBytes);
        if (JournalLines.TryReadStamp(start[JournalLines.OpeningBytes..], out var stampBytes))
        {
            content += stampBytes;
        }

        if (!IsOffsetOf(_seal.Offset - (sealAt - content)))
        {
            return EndBadly(); // Batches are missing before it.
        }

        _crc = Crc32C.Continue(
            JournalLines.BeginChecksum(_salt), _window.Pointer(_place), content - _place);
        _offset = _seal.Offset;
        _isMarked = false;
        Give(content, sealAt, sealAt + lineBytes);
        return true;
    }

    /// <summary>Whether the journal's offset at this place is this, as far as it is known.</summary>
    private bool IsOffsetOf(long offset) => _offset == offset || (_offset < 0 && offset >= 0);

    /// <summary>Whether what follows was appended by a server that knows nothing of our lines.</summary>
    private bool IsOfAnotherServer(ReadOnlySpan<byte> text)
    {
        if (_options.IsBase || !(text.StartsWith("*"u8) || JournalLines.TryReadStamp(text, out _)))
        {
            return false;
        }

        _walk.KnowsOnlyTimes = true;
        return _walk.WalkToEnd(_place, out _, long.MaxValue, out _) != WalkedItem.Broken;
    }

    /// <summary>Groups commands, as many as are in memory together.</summary>
    private bool NextCommands()
    {
        var start = _place;
        var at = start;
        _window.Keep(start);
        while (true)
        {
            var isTrusted = at < _trustedEnd;
            var item = isTrusted ? _walk.Step(at, out var next) : _walk.StepOverUnit(at, out next);
            if (item == WalkedItem.Annotation && at == start)
            {
                start = at = next;
                _window.Keep(start);
                continue;
            }

            if (item is WalkedItem.Annotation or WalkedItem.End or WalkedItem.Torn or WalkedItem.Broken)
            {
                _place = at;
                return at > start ? GiveCommands(start, at) : EndCommands(item);
            }

            if (item == WalkedItem.Multi && !isTrusted)
            {
                _trustedEnd = next; // It has an end: now its commands, one by one.
                continue;
            }

            if (next - start > _groupBytes)
            {
                return GiveCommands(start, at > start ? at : next);
            }

            at = next;
        }
    }

    private bool GiveCommands(long start, long end)
    {
        _offset += end - start;
        _isReadAgain = false;
        Give(start, end, end);
        return true;
    }

    private bool EndCommands(WalkedItem item)
    {
        if (item == WalkedItem.End)
        {
            return EndWell();
        }

        if (item == WalkedItem.Broken)
        {
            throw Damaged(_place, "bad file format, no command is there");
        }

        return _options.MayEndTorn
            ? EndTorn()
            : throw Damaged(_place, "it ends within a command or a transaction, and another file follows");
    }

    private void Give(long start, long end, long next)
    {
        _position = start;
        _unitEnd = end;
        _place = next;
        _fillerBytes = 0;
    }

    private JournalStretch NextPiece()
    {
        var length = (int)Math.Min(_window.At(_position, 1).Length, _unitEnd - _position);
        var bytes = _window.Pointer(_position);
        var stretch = new JournalStretch(bytes, length, _position, _position + length == _unitEnd);
        _position += length;
        if (_isReadAgain)
        {
            _crc = Crc32C.Continue(_crc, bytes, length);
            if (_position == _unitEnd && JournalLines.EndChecksum(_crc, _seal.Offset, _seal.Synced) != _seal.Checksum)
            {
                throw Damaged(stretch.FileOffset, "read twice, it was another the second time: see to the disk");
            }
        }

        return stretch;
    }

    private bool EndWell()
    {
        if (_isSealed && _options.IsBase && !_isMarked)
        {
            throw Damaged(_place, "it ends before its end was written");
        }

        return EndAt(0);
    }

    /// <summary>What stands at this place of a file of ours is not as it was written.</summary>
    private bool EndBadly()
    {
        const string NotWritten = "what follows is not as it was written, by its checksum";
        if (!_options.MayEndTorn || _options.IsBase)
        {
            throw Damaged(_place, NotWritten);
        }

        if (_scan.FindsWhole(_place + 1, out var end, out var synced)
            && (synced > _offset || end - _place > ServerLimits.MaxUnprovenJournalBytes))
        {
            throw Damaged(_place, $"{NotWritten}, and what comes later, up to {end}, is");
        }

        if (IsLongerThanABatch())
        {
            throw Damaged(_place, "a batch was not written to its end, and another server has appended to it. To keep "
                + "what that has written, load the folder there, rewrite it (BGREWRITEAOF) and come back");
        }

        return EndTorn();
    }

    private bool IsLongerThanABatch()
    {
        if (!JournalLines.IsOpening(_window.At(_place, JournalLines.MaxBytes), _salt))
        {
            return false;
        }

        var start = _place + JournalLines.OpeningBytes;
        _walk.KnowsOnlyTimes = true;
        _ = _walk.WalkToEnd(start, out var wholeEnd, start + ServerLimits.MaxJournalBatchBytes, out var batchEnd);
        return batchEnd >= 0 && wholeEnd > batchEnd;
    }

    private bool EndTorn()
    {
        if (!_options.LoadsTruncated)
        {
            var missing = _window.Length - _place;
            throw new JournalException(
                $"Unexpected end of the AOF file '{_window.Path}': {missing} bytes from offset {_place} on "
                + $"were not written whole. {Remedy()}, or set aof-load-truncated to yes", _window.Path, _place);
        }

        return EndAt(_window.Length - _place);
    }

    private bool EndAt(long cutBytes)
    {
        _isEnded = true;
        var end = _place - _fillerBytes;
        End = new JournalEnd(end, cutBytes, Math.Max(_offset, 0), _isSealed && !_options.IsBase, _salt)
        {
            FillerBytes = _fillerBytes,
        };
        return false;
    }

    private JournalException Damaged(long at, string what)
        => new($"The AOF file '{_window.Path}' is damaged at offset {at}: {what}. {Remedy()}", _window.Path, at);

    private string Remedy()
        => _options.MayEndTorn && !_options.IsBase
            ? $"Make a backup, then cut it there by: strata-server --check-aof '{_window.Path}' --fix"
            : "Restore it from a backup: other files follow it, so that it cannot be cut";
}
