using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Server.Runtime;
using Strata.Storage.Changes;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Lists;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Sharding;

namespace Strata.Server.Commands.Sorting;

/// <summary>SORT of many elements, or by long patterns, in steps: elements are loaded, what they are sorted by is
/// looked up, they are sorted, and they or what other patterns name for them are answered or stored. Keys that patterns
/// name are held like those of the command, there or not.</summary>
internal sealed unsafe class SortPass : ResultPass
{
    // What it takes to name, hold and look up a key, beside its bytes.
    private const int EffortOfKey = 3;

    private readonly CollectionWalk _walk = new();
    private readonly SortOptions _options;
    private readonly SortPattern _by;
    private readonly SortPattern[] _gets;
    private readonly int _first;
    private readonly int _given;
    private readonly bool _loadsPart;
    private readonly bool _isLarge;
    private readonly bool _hasPatterns;

    [SuppressMessage("Usage", "CA2213", Justification = "Free disposes of it, which Dispose leads to.")]
    private readonly SortVector _elements;

    [SuppressMessage("Usage", "CA2213", Justification = "Free disposes of it, which Dispose leads to.")]
    private readonly SortTexts _texts;

    [SuppressMessage("Usage", "CA2213", Justification = "Free disposes of it, which Dispose leads to.")]
    private readonly SortLookup _lookup;

    [SuppressMessage("Usage", "CA2213", Justification = "Free disposes of it, which Dispose leads to.")]
    private StepSort<SortItem, SortComparer>? _sort;

    private ListLoader? _list;
    private Phase _phase;
    private int _scored;
    private int _written;
    private int _named; // Of the element that is given next, the pattern that comes next.

    private SortPass(
        CommandContext context, Shard shard, in Record record, in SortOptions options, long first, long given)
        : base(context, shard)
    {
        var budget = context.Server.Shards.Budget;
        _options = options;
        _by = options.ByPattern(context);
        _gets = options.GetPatterns(context);
        _first = (int)first;
        _given = (int)given;
        _loadsPart = options.IsUnsorted && SortSource.HasOrder(record.Type);
        _isLarge = record.IsLarge;
        _hasPatterns = LooksUpKeys(options);
        if (_isLarge)
        {
            _walk.Begin(record);
        }

        _elements = new SortVector(budget, _loadsPart ? given : ShardCollections.CountOf(record));
        _texts = new SortTexts(budget);
        _lookup = new SortLookup(budget);
    }

    private enum Phase
    {
        Loading,
        Scoring,
        Sorting,
        Giving,
    }

    /// <inheritdoc/>
    private protected override bool LooksEverywhere => _hasPatterns;

    /// <summary>Begins, if it takes long.</summary>
    /// <param name="context">The command.</param>
    /// <param name="record">The collection.</param>
    /// <param name="options">What is asked for.</param>
    /// <param name="first">The first of the sorted elements that is given.</param>
    /// <param name="given">How many are.</param>
    /// <returns>Whether the command goes on in steps. Where values may be on the disk those that patterns name are not
    /// known before it looks, and it does not.</returns>
    public static bool Begins(
        CommandContext context, in Record record, in SortOptions options, long first, long given)
    {
        if ((context.Cold != null && LooksUpKeys(options))
            || !IsLong(context, EffortOf(context, record, options, given)))
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
        try
        {
            return TryAdvance(context);
        }
        catch (MemoryExhaustedException exception) when (_hasPatterns && exception is not ReplyRefusedException)
        {
            AbandonNow();
            BeginAnewAtOnce(); // Which holds no keys, and copies nothing.
            return false;
        }
    }

    /// <inheritdoc/>
    private protected override void Abandon() => _list?.Abandon();

    /// <inheritdoc/>
    private protected override void Free()
    {
        _elements.Dispose();
        _texts.Dispose();
        _lookup.Dispose();
        _sort?.Dispose();
        _list?.Free();
    }

    private static bool LooksUpKeys(in SortOptions options) => options.ByIndex > 0 || options.GetCount > 0;

    private static long EffortOf(
        CommandContext context, in Record record, in SortOptions options, long given)
    {
        var count = ShardCollections.CountOf(record);
        var loaded = options.IsUnsorted && SortSource.HasOrder(record.Type) ? given : count;
        var effort = record.IsLarge ? StepEffort.Of(loaded, count, ShardCollections.WeightOf(record)) : loaded;
        if (options.ByIndex > 0 && !options.IsUnsorted)
        {
            effort += count * (EffortOfKey + StepEffort.Of(context.Request.Length(options.ByIndex)));
        }

        var patterns = 0L;
        for (var (left, i) = (options.GetCount, 0); left > 0; left--)
        {
            i = SortOptions.NextGet(context.Request, i);
            patterns += EffortOfKey + StepEffort.Of(context.Request.Length(i));
        }

        return effort + (given * patterns);
    }

    private bool TryAdvance(CommandContext context)
    {
        var effort = EffortOfStep(context);
        if (_phase == Phase.Loading)
        {
            if (!TryLoad(context, ref effort))
            {
                return false;
            }

            _phase = _options.IsUnsorted ? Phase.Giving : Phase.Scoring;
        }

        if (_phase == Phase.Scoring)
        {
            if (!TryScoreAll(context, ref effort, out var areNumbers))
            {
                return false;
            }

            if (!areNumbers)
            {
                context.Reply.Error(Sorting.NotNumbers);
                return true;
            }

            _phase = Phase.Sorting;
        }

        if (_phase == Phase.Sorting)
        {
            _sort ??= new StepSort<SortItem, SortComparer>(
                context.Server.Shards.Budget,
                (SortItem*)Unsafe.AsPointer(ref MemoryMarshal.GetReference(_elements.Items)),
                _elements.Count,
                new SortComparer(_options.IsAlpha, _options.IsDescending));
            if (!_sort.TryGoOn(ref effort))
            {
                return false;
            }

            _phase = Phase.Giving;
        }

        return TryGive(context, effort);
    }

    /// <summary>Goes on to load elements. Those of a large collection stay where they are while it is held.</summary>
    private bool TryLoad(CommandContext context, ref int effort)
    {
        if (_isLarge && !_loadsPart)
        {
            while (effort > 0)
            {
                if (!_walk.TryNextLarge(out var element))
                {
                    return true;
                }

                _elements.Add(element.Name);
                effort -= StepEffort.Of(element.Name.Length);
            }

            return false;
        }

        if (!context.TryPeek(context.Key, out var record) || !context.HasSeenAll)
        {
            return false; // It is read, or the key has gone, and the command begins anew.
        }

        var before = _elements.Count;
        if (_loadsPart)
        {
            var count = _isLarge ? Math.Min(effort, _given - before) : _given;
            SortSource.Load(record, _first + before, count, _options.IsDescending, _elements);
        }
        else
        {
            SortSource.Load(record, 0, ShardCollections.CountOf(record), isReverse: false, _elements);
        }

        effort -= _elements.Count - before;
        if (!_isLarge)
        {
            foreach (ref var item in _elements.Items)
            {
                effort -= StepEffort.Of(item.ElementLength);
                item.Element = (byte*)Unsafe.AsPointer(
                    ref MemoryMarshal.GetReference(_texts.Copy(item.ElementSpan)));
            }
        }

        return !_loadsPart || _elements.Count == _given;
    }

    /// <summary>Goes on to find out by what elements are sorted.</summary>
    private bool TryScoreAll(CommandContext context, ref int effort, out bool areNumbers)
    {
        areNumbers = true;
        for (; _scored < _elements.Count; _scored++)
        {
            if (effort <= 0)
            {
                return false;
            }

            effort--;
            ref var item = ref _elements.Items[_scored];
            if (!TryGet(context, _by, item.ElementSpan, ref effort, out var value, out var isThere))
            {
                return false;
            }

            if (!isThere)
            {
                continue; // Its score is 0, its text comes before all others.
            }

            effort -= StepEffort.Of(value.Length);
            value = _options.IsAlpha && !_by.IsElement ? _texts.Copy(value) : value;
            areNumbers = Sorting.TryScore(ref item, value, _options.IsAlpha, _options.StoreIndex > 0);
            if (!areNumbers)
            {
                return true;
            }
        }

        return true;
    }

    /// <summary>Finds what a pattern names for an element.</summary>
    /// <returns>False when the command waits for others.</returns>
    private bool TryGet(
        CommandContext context,
        scoped in SortPattern pattern,
        ReadOnlySpan<byte> element,
        scoped ref int effort,
        out ReadOnlySpan<byte> value,
        out bool isThere)
    {
        value = pattern.IsElement ? element : default;
        isThere = pattern.IsElement;
        if (isThere || !pattern.NamesKeys || !_lookup.TryName(context, pattern, element, out var key))
        {
            return true;
        }

        effort -= EffortOfKey + StepEffort.Of(key.Length);
        if (!TryHoldToRead(context, key))
        {
            return false;
        }

        isThere = SortLookup.TryGet(context, pattern, key, out value);
        return true;
    }

    private bool TryGive(CommandContext context, int effort)
    {
        var part = _sort == null ? _elements.Items : _sort.Result;
        var result = part.Slice(_loadsPart ? 0 : _first, _given);
        var values = Math.Max(1, _gets.Length);
        BeginToGive(context, (long)result.Length * values);
        while (_written < result.Length)
        {
            if (effort <= 0)
            {
                return false;
            }

            effort--;
            var pattern = _gets.Length == 0 ? default : _gets[_named];
            var value = result[_written].ElementSpan;
            var isThere = true;
            if (_gets.Length > 0 && !TryGet(context, pattern, value, ref effort, out value, out isThere))
            {
                return false;
            }

            effort -= StepEffort.Of(value.Length);
            Give(value, isThere);
            _named = (_named + 1) % values;
            _written += _named == 0 ? 1 : 0;
        }

        if (_list == null)
        {
            context.Reply.TakeFrom(Reply);
        }
        else
        {
            Store(context, _list, (long)result.Length * values);
        }

        return true;
    }

    private void BeginToGive(CommandContext context, long values)
    {
        if (_written > 0 || _named > 0)
        {
            return;
        }

        if (_options.StoreIndex == 0)
        {
            if (Reply.Length == 0)
            {
                Reply.Array(values);
            }
        }
        else if (_list == null)
        {
            var shard = context.ShardOf(context.KeyAt(_options.StoreIndex));
            _list = new ListLoader(context.Server.Shards.Budget);
            _list.Begin(shard, PackingLimits.Of(context.Server.Configuration.Current).Lists);
        }
    }

    private void Give(ReadOnlySpan<byte> value, bool isThere)
    {
        if (_list != null)
        {
            _list.Push(value); // Of what is missing, an empty text.
        }
        else if (isThere)
        {
            Reply.Bulk(value);
        }
        else
        {
            Reply.Null();
        }
    }

    private void Store(CommandContext context, ListLoader list, long values)
    {
        var key = context.KeyAt(_options.StoreIndex);
        var exists = context.TryWrite(key, out var existing);
        if (values > 0)
        {
            list.Overwrite(key, existing, context.Change(KeyEvent.SortStore));
        }
        else if (exists)
        {
            context.ShardOf(key).Remove(key, existing, context.Change(KeyEvent.Del));
        }

        context.Reply.Integer(values);
    }
}
