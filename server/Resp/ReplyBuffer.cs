using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Strata.Storage.Interop;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Server.Resp;

/// <summary>
/// Replies in one contiguous native buffer, which grows as needed and can be rewound: an optimistic read that turns out
/// torn takes its reply back, and the errors in it. The value of the last reply may lie elsewhere (<see
/// cref="ReplyLoan"/>): where it is not sent from there, it is copied as soon as somebody looks at what was written, or
/// writes more.
/// </summary>
public abstract unsafe class ReplyBuffer : IDisposable
{
    private const int InitialBytes = 80 << 10;
    // Of a writer that is seldom used: what it takes first, and keeps at most.
    private const int SmallestBytes = 4 << 10;
    private const int SmallKeptBytes = 16 << 10;

    /// <summary>Places that replies lie in, at most.</summary>
    internal const int MostParts = 3;

    // For the errors of the commands that find no room: all of a run, before it is sent.
    private const int ErrorBytes = 64 << 10;

    private readonly NativeMemoryView _view = new();
    private NativeBlock _block;
    private byte* _buffer;
    private int _capacity;
    private int _length;
    // What lies unused before the first byte, for headers that are known only after their elements.
    private int _headroom;
    private ReplyAllowance _allowance;
    private readonly ErrorCounts? _errorCounts;
    private readonly int _initialBytes;
    private readonly MemoryBudget _budget;
    private MemoryCharge _charge;
    private readonly List<int> _errorStarts = [];
    private ReplyLoan _loan;

    /// <summary>An empty one.</summary>
    /// <param name="errorCounts">Where the errors that stay are counted by their codes.</param>
    /// <param name="budget">What the memory is charged to that it takes beyond what it has from the start.</param>
    /// <param name="isSeldomUsed">Whether it has none from the start: there may be many like it.</param>
    private protected ReplyBuffer(ErrorCounts? errorCounts, MemoryBudget? budget, bool isSeldomUsed)
    {
        _errorCounts = errorCounts;
        _initialBytes = isSeldomUsed ? 0 : InitialBytes;
        _budget = budget ?? new MemoryBudget();
        _charge = new MemoryCharge(_budget);
        if (!isSeldomUsed)
        {
            Allocate(InitialBytes);
        }
    }

    /// <summary>Bytes charged to the budget.</summary>
    public long ChargedBytes => _charge.Bytes;

    /// <summary>The most bytes of replies; behind them there is room for errors.</summary>
    internal int MostBytes { get; set; } = int.MaxValue - ErrorBytes;

    /// <summary>Whether the command that writes may be refused in the midst of its reply, for want of memory, since it
    /// changes nothing; null where it never is.</summary>
    internal Func<bool>? MayRefuse { get; init; }

    /// <summary>Whether what is written now may be refused, whatever the command at work is: it is the answer of
    /// another one, which has done its work, or precedes all changes.</summary>
    internal bool IsRefusable { get; set; }

    /// <summary>Bytes written.</summary>
    public int Length => _length + _loan.ReplyBytes;

    /// <summary>Whether the last reply's value lies in its record.</summary>
    internal bool HasLoan => _loan.IsOpen;

    /// <summary>Whether no more replies are gathered here before these have been sent: commands are executed in wire
    /// order then, where that can be done. While memory is short one is enough, for many clients may wait.</summary>
    public bool IsFull
        => Length >= ServerLimits.MaxGatheredBytes || (_length > 0 && _budget.IsFarOver);

    /// <summary>Whether this is a large reply that might have been refused, for which there was memory: who is sent it
    /// has a right to it, also when others take what is left.</summary>
    public bool IsGranted => _loan.IsOpen ? Length > ServerLimits.FreeReplyBytes : _allowance.IsGranted(_length);

    /// <summary>The first byte written.</summary>
    public byte* Start => WithoutLoan()._buffer;

    /// <summary>What was written; good until more is.</summary>
    public ReadOnlySpan<byte> WrittenSpan => new(Start, _length);

    /// <summary>A part of what was written; good until more is.</summary>
    public ReadOnlyMemory<byte> Written(int start, int length) => WithoutLoan()._view.Slice(start, length);

    /// <summary>Errors written since the writer was made, those taken back not counted.</summary>
    public long Errors { get; private set; }

    /// <summary>Takes back everything from <paramref name="length"/> on, and the errors counted there.</summary>
    public void Rewind(int length)
    {
        if (length == Length)
        {
            return;
        }

        EndLoan();
        _length = length;
        while (_errorStarts.Count > 0 && _errorStarts[^1] >= length)
        {
            _errorStarts.RemoveAt(_errorStarts.Count - 1);
            Errors--;
        }
    }

    /// <summary>Counts the errors written: from here on they stay. Before they are sent, so that who reads them finds
    /// them counted.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void CountErrors()
    {
        if (_errorStarts.Count != 0)
        {
            CountWrittenErrors();
        }
    }

    private void CountWrittenErrors()
    {
        foreach (var start in _errorStarts)
        {
            _errorCounts?.Count(new ReadOnlySpan<byte>(_buffer + start + 1, _length - start - 1));
        }

        _errorStarts.Clear();
    }

    /// <summary>Leaves room, before anything is written, for headers that are known only after their elements.
    /// </summary>
    internal void LeaveHeadroom(int bytes)
    {
        _headroom = bytes;
        Allocate(Math.Max(_capacity, SmallestBytes));
    }

    /// <summary>Forgets what was written, and gives all memory back that it did not have from the start.</summary>
    public void Free()
    {
        Clear();
        if (_charge.Bytes > 0)
        {
            Allocate(_initialBytes);
        }
    }

    /// <summary>Forgets what was written, and gives back what an unusual reply made the buffer grow to.</summary>
    public void Clear()
    {
        CountErrors();
        EndLoan();
        _length = 0;
        if (_headroom > 0)
        {
            _headroom = 0;
            Use(_block, (int)Math.Min(_block.Bytes, int.MaxValue));
        }

        if (_capacity > (_initialBytes == 0 ? SmallKeptBytes : ServerLimits.ReplyBufferKeepBytes))
        {
            Allocate(Math.Max(_initialBytes, SmallestBytes));
        }

        _allowance = new ReplyAllowance(_capacity);
    }

    /// <summary>Gives up the memory in which the replies lie, which the caller frees from here on, and goes on with
    /// other.</summary>
    /// <param name="charge">What it is charged as from here on.</param>
    /// <param name="start">Where in the memory they begin.</param>
    internal NativeBlock Detach(ref MemoryCharge charge, out int start)
    {
        var next = _budget.Buffers.Allocate(_initialBytes); // If there is none, nothing has changed.
        var detached = WithoutLoan()._block;
        _charge.Set(0);
        charge.Set(detached.Bytes);
        start = _headroom;
        _budget.Buffers.Cut(ref detached, ref charge, (long)start + _length);
        Exchange(next, headroom: 0, length: 0);
        return detached;
    }

    /// <summary>Takes what another has written from <paramref name="start"/> on, which it needs no more; of much its
    /// memory, in exchange for what is here, if nothing is written here yet.</summary>
    internal void TakeFrom(ReplyBuffer source, int start = 0)
    {
        var length = source.Length - start;
        if (Length > 0 || length <= Math.Max(start, ServerLimits.MaxGatheredBytes) || source._errorStarts.Count > 0)
        {
            Copy(source, start, length);
            return;
        }

        Allocate(Math.Max(_capacity, start)); // If there is none, nothing has changed.
        _ = source.WithoutLoan();
        source.WrittenSpan[..start].CopyTo(new Span<byte>(_block.Start, start));
        var (isGranted, taken, headroom) = (source.IsGranted, source._block, source._headroom + start);
        source.Exchange(_block, headroom: 0, start); // First, so that nobody sees the large one charged twice.
        Exchange(taken, headroom, length);
        _allowance = new ReplyAllowance(_length, _capacity, isGranted);
    }

    private void Exchange(in NativeBlock block, int headroom, int length)
    {
        _charge.Set(Math.Max(0, block.Bytes - _initialBytes));
        _headroom = headroom;
        Use(block, (int)Math.Min(block.Bytes, int.MaxValue));
        _length = length;
    }

    /// <summary>Where the replies lie, of which the last is lent.</summary>
    /// <param name="parts">At most <see cref="MostParts"/>.</param>
    /// <returns>How many there are.</returns>
    internal int GetParts(IoVector* parts)
    {
        var end = "\r\n"u8; // It lies in the program, which does not move.
        parts[0] = new IoVector(_buffer, _length);
        parts[1] = new IoVector(_loan.Value, _loan.Length);
        parts[2] = new IoVector((byte*)Unsafe.AsPointer(ref MemoryMarshal.GetReference(end)), end.Length);
        return MostParts;
    }

    /// <summary>What is written from here to the end of its scope precedes all changes: for want of memory it may be
    /// refused, as what is answered by a command that only reads.</summary>
    internal RefusableReply Refusable() => new(this);

    /// <summary>Takes memory for what a command answers beside what it changes, before it does.</summary>
    /// <exception cref="ReplyRefusedException">There is none.</exception>
    public void Ask(long bytes)
    {
        using var refusable = Refusable();
        _ = Reserve((int)Math.Min(bytes, int.MaxValue));
    }

    /// <summary>Moves what was written from <paramref name="middle"/> on before what was written from <paramref
    /// name="start"/> on: for headers that are known only after their elements. Where room was left before the first
    /// byte, and less stands before the elements than there are of them, that is moved.</summary>
    public void MoveForward(int start, int middle)
    {
        var moved = WithoutLoan()._length - middle;
        if (_headroom >= moved && start < middle - start)
        {
            var whole = new Span<byte>(_buffer - moved, _length + moved);
            whole.Slice(moved, start).CopyTo(whole);
            whole[^moved..].CopyTo(whole[start..]);
            _headroom -= moved;
            _buffer -= moved;
            _capacity += moved;
            _view.Set(_buffer, _capacity);
            return;
        }

        _ = Reserve(moved);
        var head = new Span<byte>(_buffer + start, _length - start + moved);
        head[..^moved].CopyTo(head[moved..]);
        head[^moved..].CopyTo(head);
    }

    /// <summary>Bytes that are RESP already.</summary>
    /// <param name="bytes">The bytes.</param>
    /// <param name="isPart">Whether more belongs to the reply, which may be refused as any: otherwise it was written in
    /// full elsewhere.</param>
    public void Raw(ReadOnlySpan<byte> bytes, bool isPart = false)
    {
        if (_allowance.Bytes - _length < bytes.Length)
        {
            Grow(bytes.Length, MostBytes, mayRefuse: isPart || IsRefusable);
        }

        bytes.CopyTo(new Span<byte>(_buffer + _length, bytes.Length));
        _length += bytes.Length;
    }

    /// <summary>A part of what another has written.</summary>
    public void Copy(ReplyBuffer source, int start, int length)
    {
        Raw(new ReadOnlySpan<byte>(source.Start + start, length));
        if (source.IsGranted)
        {
            _allowance.Grant(_length);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        GC.SuppressFinalize(this);
        EndLoan();
        ((IDisposable)_view).Dispose();
        _budget.Buffers.Free(ref _block, ref _charge);
        _buffer = null;
    }

    /// <summary>Room for so many bytes more.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected byte* Reserve(int bytes)
    {
        if (_allowance.Bytes - _length < bytes)
        {
            Grow(bytes, MostBytes);
        }

        return _buffer + _length;
    }

    /// <summary>Room for an error of so many bytes, which there is also where there is none for a reply.</summary>
    private protected byte* ReserveForError(int bytes)
    {
        if (_allowance.Bytes - _length < bytes)
        {
            Grow(bytes, MostBytes + ErrorBytes);
        }

        return _buffer + _length;
    }

    /// <summary>So many bytes more are written.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected void Commit(int bytes) => _length += bytes;

    /// <summary>An error is about to be written, which is counted if it stays.</summary>
    private protected void NoteError()
    {
        Errors++;
        _errorStarts.Add(_length);
    }

    /// <summary>Whether there would be memory for a value that is lent, if the client did not read.</summary>
    private protected bool MayLend(int bytes)
        => bytes <= ServerLimits.FreeReplyBytes || !_budget.WouldPassEnd(bytes);

    /// <summary>Ends with the value of a record, until something is written behind it, and CR and LF.</summary>
    private protected void Lend(RecordLog log, in Record record, int worker)
    {
        _loan.Begin(log.Loans, record, worker);
        _allowance = default; // So whatever is written behind it has to grow.
    }

    /// <summary>Copies what is lent, if anything is.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ReplyBuffer WithoutLoan()
    {
        if (_loan.IsOpen)
        {
            CopyLoan();
        }

        return this;
    }

    private void CopyLoan()
    {
        var loan = _loan;
        _loan = default;
        _allowance = new ReplyAllowance(_capacity);
        try
        {
            Raw(new ReadOnlySpan<byte>(loan.Value, loan.Length));
            Raw("\r\n"u8);
        }
        finally
        {
            loan.End();
        }
    }

    private void EndLoan()
    {
        if (_loan.IsOpen)
        {
            _loan.End();
            _allowance = new ReplyAllowance(_capacity);
        }
    }

    /// <summary>Asks for memory for what is about to be written, and takes it.</summary>
    private void Grow(int bytes, int most, bool mayRefuse = true)
    {
        _ = WithoutLoan();
        var needed = (long)_length + bytes;
        if (needed > most)
        {
            throw new MemoryExhaustedException("a reply of 2 GiB or more cannot be sent: ask for less at a time");
        }

        var wanted = needed <= _capacity
            ? Math.Min(2 * needed, _capacity)
            : Math.Min(BufferGrowth.Next(_capacity, needed), MostBytes);
        var isGranted = false;
        if (mayRefuse && needed > ServerLimits.FreeReplyBytes && (IsRefusable || MayRefuse != null))
        {
            // A command that answers before it changes anything writes of a value that stays.
            var held = IsRefusable ? _capacity - _budget.LeavingBytes : _capacity;
            isGranted = ReplyAllowance.TryGet(_budget, needed, held, ref wanted);
            if (!isGranted && (IsRefusable || MayRefuse!()))
            {
                throw new ReplyRefusedException(needed);
            }
        }

        wanted = Math.Max(wanted, needed);
        if (wanted > _capacity)
        {
            Allocate((int)Math.Max(wanted, SmallestBytes));
            wanted = _capacity;
        }

        _allowance = new ReplyAllowance(needed, wanted, isGranted);
    }

    private void Allocate(int capacity)
    {
        var block = _block;
        _budget.Buffers.Resize(ref block, ref _charge, (long)capacity + _headroom, _initialBytes);
        Use(block, capacity + _headroom);
    }

    /// <summary>Goes on with other memory, of which a reply takes no more than may be sent or was asked for.</summary>
    private void Use(in NativeBlock block, int asked)
    {
        _block = block;
        _buffer = block.Start + _headroom;
        _capacity = (int)Math.Min(block.Bytes, Math.Max(asked, MostBytes)) - _headroom;
        _allowance = new ReplyAllowance(_capacity);
        _view.Set(_buffer, _capacity);
    }
}
