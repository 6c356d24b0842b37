using System.Diagnostics.CodeAnalysis;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Commands.SortedSets;
using Strata.Storage.Changes;
using Strata.Storage.Collections;
using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Index;
using Strata.Storage.Memory;
using Strata.Storage.Sharding;

namespace Strata.Server.Commands.Geo;

/// <summary>GEOSEARCH and its kin over many members of a large set, in steps: they are found, brought into order, and
/// answered or stored.</summary>
internal sealed unsafe class GeoPass : ResultPass
{
    private readonly GeoQuery _query;
    private readonly KeyEvent _what;
    private readonly int _source;

    [SuppressMessage("Usage", "CA2213", Justification = "Free disposes of it, which Dispose leads to.")]
    private readonly NativeList<GeoMatch> _matches;
    private GeoWalk _walk;

    [SuppressMessage("Usage", "CA2213", Justification = "Free disposes of it, which Dispose leads to.")]
    private StepSort<GeoMatch, GeoComparer>? _sort;
    private SortedSetBuilder _result;
    private ElementWalk _ordered;
    private Phase _phase;
    private int _written;

    private GeoPass(CommandContext context, Shard shard, int source, in GeoQuery query, KeyEvent what)
        : base(context, shard)
    {
        _source = source;
        _query = query;
        _walk = new GeoWalk(query.Shape);
        _what = what;
        _matches = new NativeList<GeoMatch>(context.Server.Shards.Budget, GeoSearching.MatchesFromStart);
    }

    private enum Phase
    {
        Finding,
        Sorting,
        Writing,
        Ordering,
    }

    /// <summary>Begins.</summary>
    /// <param name="context">The command.</param>
    /// <param name="source">The argument that is the set's key.</param>
    /// <param name="query">What is looked for.</param>
    /// <param name="what">What is told of it if it is stored.</param>
    public static void Begin(CommandContext context, int source, in GeoQuery query, KeyEvent what)
    {
        if (IsElsewhere(context))
        {
            return;
        }

        var key = context.KeyAt(source);
        var target = query.StoreIndex > 0 ? context.KeyAt(query.StoreIndex) : key;
        var pass = new GeoPass(context, context.ShardOf(target), source, query, what);
        Begin(context, pass, query.StoreIndex > 0 ? [key, target] : new ReadOnlySpan<Key>(in key));
    }

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context)
    {
        if (!context.TryPeek(context.KeyAt(_source), out var record))
        {
            return false; // It has gone, and the command begins anew.
        }

        var effort = EffortOfStep(context);
        if (_phase == Phase.Finding)
        {
            if (!GeoSearching.TryFind(new SortedSetReader(record), _query, ref _walk, _matches, ref effort))
            {
                return false;
            }

            Sort(context);
        }

        if (_phase == Phase.Sorting)
        {
            if (!_sort!.TryGoOn(ref effort))
            {
                return false;
            }

            _phase = Phase.Writing;
        }

        var found = GeoSearching.Limit(_query, _sort == null ? _matches.Span : _sort.Result);
        return _query.StoreIndex > 0 ? TryStore(context, found, effort) : TryAnswer(context, found, effort);
    }

    /// <inheritdoc/>
    private protected override void Abandon() => _result.Dispose();

    /// <inheritdoc/>
    private protected override void Free()
    {
        _matches.Dispose();
        _sort?.Dispose();
    }

    private void Sort(CommandContext context)
    {
        _phase = Phase.Writing;
        var order = GeoSearching.OrderOf(_query);
        if (order != GeoOrder.None && _matches.Count > 1)
        {
            _phase = Phase.Sorting;
            _sort = new StepSort<GeoMatch, GeoComparer>(
                context.Server.Shards.Budget,
                _matches.At(0),
                _matches.Count,
                new GeoComparer(order == GeoOrder.Descending));
        }
    }

    private bool TryAnswer(CommandContext context, ReadOnlySpan<GeoMatch> found, int effort)
    {
        if (_written == 0 && Reply.Length == 0)
        {
            Reply.Array(found.Length);
        }

        for (; _written < found.Length; _written++)
        {
            if (effort <= 0)
            {
                return false;
            }

            var before = Reply.Length;
            GeoSearching.Write(Reply, _query, found[_written]);
            effort -= StepEffort.Of(Reply.Length - before);
        }

        context.Reply.TakeFrom(Reply);
        return true;
    }

    private bool TryStore(CommandContext context, ReadOnlySpan<GeoMatch> found, int effort)
    {
        if (_phase == Phase.Writing)
        {
            if (_written == 0)
            {
                _result = new SortedSetBuilder(context.ShardOf(context.KeyAt(_query.StoreIndex)));
            }

            while (_written < found.Length)
            {
                GeoSearching.Add(ref _result, _query, found[_written++]);
                if (--effort <= 0 && _written < found.Length)
                {
                    return false;
                }
            }

            _phase = Phase.Ordering;
            _ordered = _result.Walk();
        }

        if (!_result.TryFinish(ref _ordered, effort))
        {
            return false;
        }

        SortedSetAccess.Store(context, context.KeyAt(_query.StoreIndex), ref _result, _what);
        return true;
    }
}
