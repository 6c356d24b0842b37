using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Runtime;
using Strata.Storage.Changes;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Lists;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Sharding;

namespace Strata.Server.Commands.Sorting;

/// <summary>SORT of a large collection by its own elements, in steps: they are loaded, sorted, and answered or
/// stored.</summary>
internal sealed unsafe class SortPass : ResultPass
{
    private readonly CollectionWalk _walk = new();

    [SuppressMessage("Usage", "CA2213", Justification = "Free disposes of it, which Dispose leads to.")]
    private readonly SortVector _elements;

    private readonly bool _isAlpha;
    private readonly bool _isDescending;
    private readonly int _storeIndex;
    private readonly int _first;
    private readonly int _given;

    [SuppressMessage("Usage", "CA2213", Justification = "Free disposes of it, which Dispose leads to.")]
    private StepSort<SortItem, SortComparer>? _sort;

    private ListLoader? _list;
    private bool _isSorted;
    private int _written;

    private SortPass(
        CommandContext context, Shard shard, in Record record, in SortOptions options, long first, long given)
        : base(context, shard)
    {
        _walk.Begin(record);
        _isAlpha = options.IsAlpha;
        _isDescending = options.IsDescending;
        _storeIndex = options.StoreIndex;
        _first = (int)first;
        _given = (int)given;
        _elements = new SortVector(context.Server.Shards.Budget, ShardCollections.CountOf(record));
    }

    /// <summary>Begins, if it takes long.</summary>
    /// <param name="context">The command.</param>
    /// <param name="record">The collection.</param>
    /// <param name="options">What is asked for.</param>
    /// <param name="first">The first of the sorted elements that is given.</param>
    /// <param name="given">How many are.</param>
    /// <returns>Whether the command goes on in steps.</returns>
    public static bool Begins(
        CommandContext context, in Record record, in SortOptions options, long first, long given)
    {
        if (!record.IsLarge || options.IsUnsorted || options.ByIndex > 0 || options.GetCount > 0)
        {
            return false;
        }

        var count = ShardCollections.CountOf(record);
        if (!IsLong(context, count, count, ShardCollections.WeightOf(record)))
        {
            return false;
        }

        if (!IsElsewhere(context))
        {
            var key = context.Key;
            var target = options.StoreIndex > 0 ? context.KeyAt(options.StoreIndex) : key;
            var pass = new SortPass(context, context.ShardOf(target), record, options, first, given);
            Begin(context, pass, options.StoreIndex > 0 ? [key, target] : new ReadOnlySpan<Key>(in key));
        }

        return true;
    }

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context)
    {
        var effort = EffortOfStep(context);
        if (!_isSorted)
        {
            if (_sort == null && !TryLoad(ref effort, out var areNumbers))
            {
                if (!areNumbers)
                {
                    context.Reply.Error(Sorting.NotNumbers);
                }

                return !areNumbers;
            }

            _sort ??= new StepSort<SortItem, SortComparer>(
                context.Server.Shards.Budget,
                (SortItem*)Unsafe.AsPointer(ref MemoryMarshal.GetReference(_elements.Items)),
                _elements.Count,
                new SortComparer(_isAlpha, _isDescending));
            if (!_sort.TryGoOn(ref effort))
            {
                return false;
            }

            _isSorted = true;
        }

        var result = _sort!.Result.Slice(_first, _given);
        return _storeIndex > 0 ? TryStore(context, result, effort) : TryAnswer(context, result, effort);
    }

    /// <inheritdoc/>
    private protected override void Abandon() => _list?.Abandon();

    /// <inheritdoc/>
    private protected override void Free()
    {
        _elements.Dispose();
        _sort?.Dispose();
        _list?.Free();
    }

    private bool TryLoad(ref int effort, out bool areNumbers)
    {
        areNumbers = true;
        while (effort > 0)
        {
            if (!_walk.TryNextLarge(out var element))
            {
                return true;
            }

            _elements.Add(element.Name);
            ref var item = ref _elements.Items[^1];
            areNumbers = Sorting.TryScore(ref item, element.Name, _isAlpha, _storeIndex > 0);
            if (!areNumbers)
            {
                return false;
            }

            effort -= StepEffort.Of(element.Name.Length);
        }

        return false;
    }

    private bool TryAnswer(CommandContext context, ReadOnlySpan<SortItem> result, int effort)
    {
        if (_written == 0 && Reply.Length == 0)
        {
            Reply.Array(result.Length);
        }

        for (; _written < result.Length; _written++)
        {
            if (effort <= 0)
            {
                return false;
            }

            Reply.Bulk(result[_written].ElementSpan);
            effort -= StepEffort.Of(result[_written].ElementLength);
        }

        context.Reply.TakeFrom(Reply);
        return true;
    }

    private bool TryStore(CommandContext context, ReadOnlySpan<SortItem> result, int effort)
    {
        var key = context.KeyAt(_storeIndex);
        if (_list == null)
        {
            _list = new ListLoader(context.Server.Shards.Budget);
            _list.Begin(context.ShardOf(key), PackingLimits.Of(context.Server.Configuration.Current).Lists);
        }

        for (; _written < result.Length; _written++)
        {
            if (effort <= 0)
            {
                return false;
            }

            _list.Push(result[_written].ElementSpan);
            effort -= StepEffort.Of(result[_written].ElementLength);
        }

        var exists = context.TryWrite(key, out var existing);
        if (result.Length > 0)
        {
            _list.Overwrite(key, existing, context.Change(KeyEvent.SortStore));
        }
        else if (exists)
        {
            context.ShardOf(key).Remove(key, existing, context.Change(KeyEvent.Del));
        }

        context.Reply.Integer(result.Length);
        return true;
    }
}
