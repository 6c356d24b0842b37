using Strata.Storage.Memory;

namespace Strata.Server.Journal.Files;

/// <summary>Goes from line to line of ours in a file that has some, without a look at the commands between, and takes
/// their checksum on the way: each byte once, whatever they are.</summary>
internal sealed unsafe class JournalScan
{
    private readonly FileWindow _window;
    private ulong _salt;
    private byte _before;
    private uint _crc;
    private long _position;

    /// <summary>A scan in a window.</summary>
    public JournalScan(FileWindow window)
    {
        _window = window;
    }

    /// <summary>What the file's checksums begin from.</summary>
    public void Begin(ulong salt) => _salt = salt;

    /// <summary>Looks for the line behind a batch.</summary>
    /// <param name="opening">Where the batch begins, with its own line.</param>
    /// <param name="sealAt">Where the line begins.</param>
    /// <param name="seal">What it says.</param>
    /// <param name="lineBytes">Its bytes.</param>
    /// <returns>False where the batch is not as it was written.</returns>
    public bool TryFindSeal(long opening, out long sealAt, out JournalSeal seal, out int lineBytes)
    {
        _window.Keep(opening);
        StartAt(opening);
        Open();
        while (NextLine(out var line))
        {
            if (JournalLines.IsOpening(line, _salt))
            {
                break; // The next batch: this one has lost its line.
            }

            if (IsSealOf(line, opening, out seal, out lineBytes))
            {
                sealAt = _position;
                return true;
            }

            Pass(1);
        }

        (sealAt, seal, lineBytes) = (-1, default, 0);
        return false;
    }

    /// <summary>Whether a text begins with a mark that is as it was written.</summary>
    public bool IsMark(ReadOnlySpan<byte> text, out JournalSeal mark, out int lineBytes)
        => JournalLines.TryReadSeal(text, out mark, out lineBytes) && mark.IsMark
            && mark.Checksum == JournalLines.MarkChecksum(_salt, mark.Offset, mark.Synced);

    /// <summary>Whether there is filler at a place (<see cref="JournalFiller"/>), to the end of the file or of a line.
    /// </summary>
    /// <param name="from">The place.</param>
    /// <param name="end">Where it ends.</param>
    public bool IsFiller(long from, out long end)
    {
        _window.Keep(-1);
        for (end = from; end < _window.Length;)
        {
            foreach (var found in _window.At(end, 1))
            {
                if (found != JournalFiller.At(end) && !(end == from && found == JournalFiller.First))
                {
                    return end > from + 1 && end % JournalFiller.LineBytes == 0;
                }

                end++;
            }
        }

        return true;
    }

    /// <summary>Looks for batches and marks behind a place that are as they were written.</summary>
    /// <param name="from">The place.</param>
    /// <param name="end">Where the last of them ends.</param>
    /// <param name="synced">The furthest offset up to which they say that all is on the disk.</param>
    /// <returns>Whether there are any.</returns>
    public bool FindsWhole(long from, out long end, out long synced)
    {
        end = -1;
        synced = -1;
        var opening = -1L;
        _window.Keep(-1);
        StartAt(from);
        while (NextLine(out var line))
        {
            if (JournalLines.IsOpening(line, _salt))
            {
                opening = _position;
                Open();
                continue;
            }

            if (IsMark(line, out var seal, out var lineBytes)
                || (opening >= 0 && IsSealOf(line, opening, out seal, out lineBytes)))
            {
                end = _position + lineBytes;
                synced = Math.Max(synced, seal.Synced);
                opening = -1;
            }

            Pass(1);
        }

        return end >= 0;
    }

    /// <summary>Whether there is anything behind a place that looks like a line behind a batch, of whatever file.
    /// </summary>
    public bool FindsSealLike(long from)
    {
        _window.Keep(-1);
        StartAt(from);
        while (NextLine(out var line))
        {
            if (_before == '\n' && JournalLines.TryReadSeal(line, out _, out _))
            {
                return true;
            }

            Pass(1);
        }

        return false;
    }

    private void StartAt(long position)
    {
        _position = position;
        _before = (byte)'\n';
        _crc = 0;
    }

    /// <summary>A batch begins here: goes behind its own line.</summary>
    private void Open()
    {
        _ = _window.At(_position, JournalLines.MaxBytes);
        _crc = JournalLines.BeginChecksum(_salt);
        Pass(JournalLines.OpeningBytes);
    }

    private bool IsSealOf(ReadOnlySpan<byte> line, long opening, out JournalSeal seal, out int lineBytes)
        => JournalLines.TryReadSeal(line, out seal, out lineBytes) && seal.Bytes == _position - opening
            && JournalLines.EndChecksum(_crc, seal.Offset, seal.Synced) == seal.Checksum;

    /// <summary>Goes on to where the next line begins as ours do; stays where it is if that is there. What is before it
    /// is not looked at, since that may be what is damaged.</summary>
    /// <returns>False at the end of the file.</returns>
    private bool NextLine(out ReadOnlySpan<byte> line)
    {
        while (true)
        {
            line = _window.At(_position, JournalLines.MaxBytes);
            var found = line.IndexOf(JournalLines.Prefix);
            if (found < 0)
            {
                // A part of it may stand at the end of what is in memory.
                var passed = _position + line.Length < _window.Length
                    ? line.Length - JournalLines.Prefix.Length + 1
                    : line.Length;
                Pass(passed);
                if (_position == _window.Length)
                {
                    return false;
                }

                continue;
            }

            Pass(found);
            line = _window.At(_position, JournalLines.MaxBytes);
            return true;
        }
    }

    /// <summary>Goes on by bytes that are in memory.</summary>
    private void Pass(int bytes)
    {
        if (bytes > 0)
        {
            var passed = _window.Pointer(_position);
            _crc = Crc32C.Continue(_crc, passed, bytes);
            _before = passed[bytes - 1];
            _position += bytes;
        }
    }
}
