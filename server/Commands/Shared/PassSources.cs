using Strata.Server.Commands.Model;
using Strata.Storage;
using Strata.Storage.Collections;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Server.Commands.Shared;

/// <summary>The collections, in whatever form and number, that a command goes through in steps. Each is looked up anew
/// in each step that needs it, for its record may have been moved.</summary>
internal sealed unsafe class PassSources : IDisposable
{
    /// <summary>The most keys of a command that looks all up in each of its steps.</summary>
    public const int Most = 128;

    private readonly MemoryBudget _budget;
    private readonly CollectionWalk _walk = new();
    private readonly int _capacity;
    private NativeBlock _block;
    private MemoryCharge _charge;
    private StepSort<PassSource, PassSourceOrder>? _sort;
    private PassSource* _sources;
    private int _step;
    private bool _isWithin;

    /// <summary>None yet.</summary>
    /// <param name="budget">What is charged for what is known of them.</param>
    /// <param name="capacity">How many there will be.</param>
    /// <exception cref="MemoryExhaustedException">There is no memory for so many.</exception>
    public PassSources(MemoryBudget budget, int capacity)
    {
        _budget = budget;
        _capacity = capacity;
        _charge = new MemoryCharge(budget);
        var bytes = (long)capacity * sizeof(PassSource);
        budget.AskForValue(bytes, neededBytes: 0);
        try
        {
            budget.Buffers.Resize(ref _block, ref _charge, bytes);
        }
        catch (OutOfMemoryException exception)
        {
            throw new MemoryExhaustedException($"the system gave no memory for {capacity} keys", exception);
        }

        _sources = (PassSource*)_block.Start;
    }

    /// <summary>How many there are.</summary>
    public int Count { get; private set; }

    /// <summary>Elements of all.</summary>
    public long Elements { get; private set; }

    /// <summary>The number of the source that is gone through.</summary>
    public int Current { get; private set; } = -1;

    /// <summary>Whether all elements were given.</summary>
    public bool IsAtEnd { get; private set; }

    /// <summary>A source, by its number in the order in which they are gone through.</summary>
    public ref PassSource this[int index] => ref _sources[index];

    /// <summary>Adds a source.</summary>
    /// <param name="argument">The argument that is its key.</param>
    /// <param name="key">The key, which is held.</param>
    /// <param name="count">Elements.</param>
    /// <param name="weight">What scores are multiplied by.</param>
    public void Add(int argument, in Key key, long count, double weight = 1)
    {
        Invariant.Check(Count < _capacity, "there are no more sources than keys");
        _sources[Count] = new PassSource { Hash = key.Hash, Argument = argument, Count = count, Weight = weight };
        Count++;
        Elements += count;
    }

    /// <summary>Brings the sources into order, the smallest first.</summary>
    /// <returns>Whether they are in order.</returns>
    public bool TrySort(ref int effort)
    {
        _sort ??= new StepSort<PassSource, PassSourceOrder>(_budget, _sources, Count, default);
        if (!_sort.TryGoOn(ref effort))
        {
            return false;
        }

        fixed (PassSource* sorted = _sort.Result)
        {
            _sources = sorted; // It is native memory.
        }

        return true;
    }

    /// <summary>Forgets what was looked up in the step before.</summary>
    public void BeginStep() => _step++;

    /// <summary>Looks a source up, if this step has not.</summary>
    /// <param name="context">The command.</param>
    /// <param name="index">The source's number.</param>
    /// <param name="effort">What is left of the step.</param>
    /// <param name="record">Its record, a null one where there is none.</param>
    /// <returns>False when it cannot be seen, or is there no more: the step is made again, or all begins anew.
    /// </returns>
    public bool TryOpen(CommandContext context, int index, ref int effort, out Record record)
    {
        ref var source = ref _sources[index];
        if (source.OpenedIn != _step)
        {
            effort--;
            var length = context.Request.Length(source.Argument);
            var start = context.Request.Pointer(source.Argument);
            var isThere = context.TryPeek(new Key(start, length, context.Database, source.Hash), out source.Record);
            if (isThere != source.Count > 0 || !context.HasSeenAll)
            {
                record = default;
                return false;
            }

            source.OpenedIn = _step;
        }

        record = source.Record;
        return true;
    }

    /// <summary>Gives the next element of the first sources.</summary>
    /// <param name="context">The command.</param>
    /// <param name="sources">How many of them are gone through.</param>
    /// <param name="effort">What is left of the step.</param>
    /// <param name="element">The element; good until the next is asked for.</param>
    /// <returns>False when there is none, or the step has come to its end.</returns>
    public bool TryNext(CommandContext context, int sources, ref int effort, out WalkedElement element)
    {
        element = default;
        while (effort > 0 && !IsAtEnd)
        {
            if (_isWithin)
            {
                if (!TryOpen(context, Current, ref effort, out var record))
                {
                    return false;
                }

                if (sources == 1)
                {
                    _walk.Mark(); // It is looked up in the others, and may be given again.
                }

                if (_walk.TryNext(record, out element))
                {
                    return true;
                }

                _isWithin = false;
            }

            IsAtEnd = Current + 1 >= sources;
            if (!IsAtEnd && !TryEnter(context, ref effort))
            {
                return false;
            }
        }

        return false;
    }

    /// <summary>The next element that is given is once more the last one.</summary>
    public void Repeat() => _walk.Return();

    /// <inheritdoc/>
    public void Dispose()
    {
        _sort?.Dispose();
        _budget.Buffers.Free(ref _block, ref _charge);
    }

    private bool TryEnter(CommandContext context, ref int effort)
    {
        effort--;
        if (_sources[Current + 1].Count > 0)
        {
            if (!TryOpen(context, Current + 1, ref effort, out var record))
            {
                return false;
            }

            _walk.Begin(record);
            _isWithin = true;
        }

        Current++;
        return true;
    }
}
