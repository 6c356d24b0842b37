using Strata.Storage.Memory;

namespace Strata.Server.Commands.Shared;

/// <summary>Sorts values in steps: short runs of them, and then two and two of these are merged (bottom-up merge sort;
/// Knuth, The Art of Computer Programming 3, 5.2.4).</summary>
/// <typeparam name="T">The values.</typeparam>
/// <typeparam name="TComparer">Their order.</typeparam>
internal sealed unsafe class StepSort<T, TComparer> : IDisposable
    where T : unmanaged
    where TComparer : struct, IComparer<T>
{
    private const int RunLength = 128;

    // Comparisons by which a value of a run is put into its place, about.
    private const int ComparisonsInRun = 7;

    private readonly TComparer _comparer;
    private readonly int _count;
    private readonly BufferPool _buffers;
    private NativeBlock _block;
    private MemoryCharge _charge;
    private T* _from;
    private T* _to;

    // The runs that are sorted by now are so long; 0 while the first are made, up to the next value.
    private long _width;
    private long _next;

    // The two that are merged: where they go on and end.
    private long _left;
    private long _leftEnd;
    private long _right;
    private long _rightEnd;

    /// <summary>Begins to sort.</summary>
    /// <param name="budget">What is charged for memory for as many values again.</param>
    /// <param name="values">The values, which stay where they are until the end.</param>
    /// <param name="count">How many there are.</param>
    /// <param name="comparer">Their order, in which none is as another.</param>
    /// <exception cref="NoRoomException">Memory is at its end.</exception>
    /// <exception cref="MemoryExhaustedException">There is no memory for so many.</exception>
    public StepSort(MemoryBudget budget, T* values, int count, TComparer comparer)
    {
        _comparer = comparer;
        _count = count;
        _buffers = budget.Buffers;
        _charge = new MemoryCharge(budget);
        budget.AskForValue((long)count * sizeof(T), neededBytes: 0, madeBytes: (long)count * sizeof(T));
        try
        {
            _buffers.Resize(ref _block, ref _charge, (long)count * sizeof(T));
        }
        catch (OutOfMemoryException exception)
        {
            throw new MemoryExhaustedException($"the system gave no memory to sort {count} elements", exception);
        }

        _from = values;
        _to = (T*)_block.Start;
    }

    /// <summary>The values in their order, when all are sorted.</summary>
    public ReadOnlySpan<T> Result => new(_from, _count);

    /// <summary>Goes on.</summary>
    /// <param name="effort">How many comparisons may be made, about.</param>
    /// <returns>Whether all are sorted.</returns>
    public bool TryGoOn(ref int effort)
    {
        for (; _width == 0 && effort > 0; effort -= RunLength * ComparisonsInRun)
        {
            var length = (int)Math.Min(RunLength, _count - _next);
            new Span<T>(_from + _next, length).Sort(_comparer);
            _next += length;
            if (_next == _count)
            {
                (_width, _next) = (RunLength, 0);
            }
        }

        while (effort > 0)
        {
            if (_left == _leftEnd && _right == _rightEnd && !TryNextPair())
            {
                return true;
            }

            Merge(ref effort);
        }

        return false;
    }

    /// <inheritdoc/>
    public void Dispose() => _buffers.Free(ref _block, ref _charge);

    /// <summary>Goes on to the next two runs.</summary>
    /// <returns>False when there is only one.</returns>
    private bool TryNextPair()
    {
        if (_next >= _count)
        {
            var sorted = _to;
            _to = _from;
            _from = sorted;
            (_width, _next) = (_width * 2, 0);
        }

        if (_width >= _count)
        {
            return false;
        }

        _left = _next;
        _leftEnd = Math.Min(_count, _left + _width);
        _right = _leftEnd;
        _rightEnd = Math.Min(_count, _right + _width);
        _next = _rightEnd;
        return true;
    }

    private void Merge(ref int effort)
    {
        var target = _to + (_left + _right - _leftEnd);
        for (; effort > 0 && (_left < _leftEnd || _right < _rightEnd); effort--)
        {
            var isLeft = _right == _rightEnd
                || (_left < _leftEnd && _comparer.Compare(_from[_left], _from[_right]) < 0);
            *target++ = _from[isLeft ? _left++ : _right++];
        }
    }
}
