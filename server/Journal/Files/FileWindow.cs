using Strata.Storage.Memory;

namespace Strata.Server.Journal.Files;

/// <summary>What lies in memory of a file that is read from front to back: a bounded buffer. One owner.</summary>
internal sealed unsafe class FileWindow : IDisposable
{
    private readonly MemoryBudget _budget;
    private readonly int _capacity;
    private NativeBlock _block;
    private MemoryCharge _charge;
    private IJournalFile? _file;
    private long _start;
    private int _count;
    private long _kept = -1;

    /// <summary>A window on no file yet.</summary>
    /// <param name="budget">What the buffer is charged to.</param>
    /// <param name="capacity">Its bytes: several times the longest line, or more.</param>
    /// <exception cref="OutOfMemoryException">The system gives no memory.</exception>
    public FileWindow(MemoryBudget budget, int capacity)
    {
        _budget = budget;
        _capacity = capacity;
        _charge = new MemoryCharge(budget);
        budget.Buffers.Resize(ref _block, ref _charge, capacity);
    }

    /// <summary>Bytes of the file.</summary>
    public long Length { get; private set; }

    /// <summary>Where the file lies, for messages.</summary>
    public string Path => _file!.Path;

    /// <summary>Looks at a file.</summary>
    /// <exception cref="JournalException">Its length cannot be told.</exception>
    public void Open(IJournalFile file)
    {
        _file = file;
        _start = 0;
        _count = 0;
        _kept = -1;
        file.GetLength(out var length).ThrowIfError();
        Length = length;
    }

    /// <summary>Keeps what lies from a place on in memory as long as it fits, for when one comes back to it.</summary>
    public void Keep(long position) => _kept = position;

    /// <summary>What lies in the file from a place on: at least so many bytes, but for the end of the file; until the
    /// next call.</summary>
    /// <param name="position">The place, in the file or at its end.</param>
    /// <param name="least">Bytes; a quarter of the buffer at most.</param>
    /// <exception cref="JournalException">The file cannot be read.</exception>
    public ReadOnlySpan<byte> At(long position, int least)
    {
        var from = position - _start;
        if (from < 0 || from > _count || (_count - from < least && _start + _count < Length))
        {
            Fill(position, least);
            from = position - _start;
        }

        return new ReadOnlySpan<byte>(_block.Start + from, (int)(_count - from));
    }

    /// <summary>Whether what lies from a place on is in memory.</summary>
    public bool Holds(long position) => position >= _start && position - _start <= _count;

    /// <summary>Where the byte at a place lies that <see cref="At"/> has given.</summary>
    public byte* Pointer(long position) => _block.Start + (position - _start);

    /// <inheritdoc/>
    public void Dispose() => _budget.Buffers.Free(ref _block, ref _charge);

    private void Fill(long position, int least)
    {
        var start = _kept >= 0 && _kept <= position && position + least - _kept <= _capacity ? _kept : position;
        var from = start - _start;
        if (from >= 0 && from < _count)
        {
            _count -= (int)from;
            Buffer.MemoryCopy(_block.Start + from, _block.Start, _capacity, _count);
        }
        else
        {
            _count = 0;
        }

        _start = start;
        var missing = (int)Math.Min(_capacity - _count, Length - _start - _count);
        _file!.Read(_start + _count, _block.Start + _count, missing, out var read).ThrowIfError();
        _count += read;
        if (read < missing)
        {
            throw new JournalException(
                $"The AOF file '{Path}' became shorter while it was read: another process writes to it; end that first",
                Path, _start + _count);
        }
    }
}
