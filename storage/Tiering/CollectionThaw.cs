using Strata.Storage.Collections;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;

namespace Strata.Storage.Tiering;

/// <summary>
/// Makes a frozen collection large again, step by step, before the commands that wait for it are executed. It ends
/// early when the frozen record is the key's value no longer; whether the collection is at hand then, the commands
/// find out by themselves. It ends early, too, where memory is at its end and stays there: they are refused then.
/// What was read from the device gives its memory up as the collection takes some.
/// </summary>
internal sealed unsafe class CollectionThaw : ShardTask
{
    // Elements that the collection has room for from the start: more would be made room for in one go.
    private const int FirstRoom = 1024;

    private readonly ShardTier _tier;
    private readonly ulong _hash;
    private readonly RecordType _type;
    private readonly ColdRead? _read;
    private readonly List<ColdReadSet> _waiting = [];
    private byte* _root;
    private PackingCursor _cursor;
    private long _firstMs;
    private bool _isRefused;

    /// <summary>Begins nothing yet.</summary>
    /// <param name="store">The shard.</param>
    /// <param name="tier">Its tier.</param>
    /// <param name="hash">The hash of the record's key.</param>
    /// <param name="place">The address of the record as the index points to it, and how often its page had been used.
    /// </param>
    /// <param name="type">What it is.</param>
    /// <param name="read">The read that brought it, of one of the sets that wait for this; null where it is in memory.
    /// </param>
    public CollectionThaw(
        TieredStore store,
        ShardTier tier,
        ulong hash,
        (ulong Address, long Generation) place,
        RecordType type,
        ColdRead? read)
        : base(store)
    {
        _tier = tier;
        _hash = hash;
        _type = type;
        Place = place;
        _read = read;
    }

    /// <summary>Where the record was that is being thawed.</summary>
    public (ulong Address, long Generation) Place { get; }

    /// <summary>A set is told when this has ended.</summary>
    /// <returns>False when it was the last to say so: what one command asks for it asks for in one go.</returns>
    public bool TryJoin(ColdReadSet set)
    {
        if (_waiting.Count > 0 && _waiting[^1] == set)
        {
            return false;
        }

        _waiting.Add(set);
        return true;
    }

    /// <summary>The shard's log and heap are being emptied.</summary>
    public void Reset() => _root = null;

    /// <inheritdoc/>
    public override bool WaitsForRoom(long nowMs, bool isAtEnd)
    {
        _firstMs = _firstMs == 0 ? nowMs : _firstMs;
        var isPatient = Math.Abs(nowMs - _firstMs) < Limits.ThawPatienceMs;
        _isRefused = isAtEnd && !isPatient;
        return isPatient;
    }

    /// <inheritdoc/>
    public override StepResult Step()
    {
        if (!_isRefused && TryOpen(out var frozen) && TryGoOn(frozen))
        {
            return StepResult.More;
        }

        DropRest();
        _tier.OnThawEnded(this);
        return StepResult.Done;
    }

    /// <inheritdoc/>
    public override void OnEnded(TierWorker worker)
    {
        foreach (var set in _waiting)
        {
            set.OnThawed(worker, _isRefused);
        }
    }

    /// <summary>The record, if it still is the key's and is where it was.</summary>
    private bool TryOpen(out Record frozen)
    {
        frozen = _read?.Record ?? default;
        return Store.FindSlot(_hash, Place.Address) != null && _tier.GenerationOf(Place.Address) == Place.Generation
            && (!frozen.IsNull || Store.Log.TryOpen(Place.Address, out frozen));
    }

    /// <returns>Whether there is more to do.</returns>
    private bool TryGoOn(in Record frozen)
    {
        try
        {
            var heap = Store.Collections.Heap;
            var form = TypeInfo.Of(_type).Large;
            _root = _root != null ? _root : form.Create(heap, FirstRoom);
            form.UnpackSome(heap, _root, frozen.Value, ref _cursor, _tier.Tier.StepEffort);
            if (!_cursor.IsAtEnd)
            {
                _read?.Spend(_cursor.Offset);
                return true;
            }

            var key = frozen.KeyWith(_hash);
            _ = Store.Collections.MakeLarge(key, frozen, _root);
            _root = null;
        }
        catch (MemoryExhaustedException)
        {
            // The command that needs the collection meets this again, and answers it.
            return false;
        }

        return false;
    }

    private void DropRest()
    {
        if (_root != null)
        {
            _ = Store.Collections.Doom(_type, _root);
            _root = null;
        }
    }
}
