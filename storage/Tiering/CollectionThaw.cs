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
    private readonly ulong _address;
    private readonly long _generation;
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
    /// <param name="frozen">The record as the index points to it.</param>
    /// <param name="read">The read that brought it, of one of the sets that wait for this; null where it is in memory.
    /// </param>
    public CollectionThaw(TieredStore store, ShardTier tier, ulong hash, in Record frozen, ColdRead? read)
        : base(store)
    {
        _tier = tier;
        _hash = hash;
        _address = frozen.Address;
        _generation = tier.GenerationOf(frozen.Address);
        _type = frozen.Type;
        _read = read;
    }

    /// <summary>Whether it is this record that is being thawed.</summary>
    public bool Concerns(in Record frozen)
        => frozen.Address == _address && _tier.GenerationOf(_address) == _generation;

    /// <summary>A set is told when this has ended.</summary>
    public void Join(ColdReadSet set) => _waiting.Add(set);

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
        return Store.FindSlot(_hash, _address) != null && _tier.GenerationOf(_address) == _generation
            && (!frozen.IsNull || Store.Log.TryOpen(_address, out frozen));
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
