using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Runtime;
using Strata.Storage.Sharding;
using Strata.Storage.Tiering;

namespace Strata.Storage.Snapshot;

/// <summary>
/// Gives a sink all keys of a shard as they are at the moment it begins, step by step, while the shard goes on
/// changing. What is in memory is saved by parts of the index (<see cref="PassedUnits"/>), in order, or sooner where a
/// key of one is about to change. What is on the device is saved page by page (<see cref="SnapshotPages"/>); pages that
/// leave memory meanwhile come to those. Values too long for one step wait in a queue, first come, first served (<see
/// cref="LongValue"/>): who is about to change one has the rest of it saved at once.
/// Used under the shard's lease; nothing of it throws into whoever changes a key.
/// </summary>
internal sealed unsafe class ShardSnapshot : IChangeListener, IUnsavedRecords
{
    private readonly SnapshotWalk _walk;
    private readonly Shard _shard;
    private readonly ISnapshotSink _sink;
    private readonly PassedUnits _units;
    private readonly SnapshotPages? _pages;
    private readonly CheckpointPages? _kept;
    private readonly Queue<LongValue> _long = new();
    private uint _next;
    private bool _isDetached;

    /// <summary>Begins at this moment, for which all leases are held.</summary>
    public ShardSnapshot(SnapshotWalk walk, Shard shard, ISnapshotSink sink)
    {
        _walk = walk;
        _shard = shard;
        _sink = sink;
        _units = new PassedUnits(shard.Index, shard.Budget);
        if (walk.Checkpoint != 0)
        {
            _kept = new CheckpointPages(shard, (ICheckpointSink)sink, walk.Checkpoint);
        }
        else if (shard.Tier != null)
        {
            _pages = new SnapshotPages(this, shard);
        }

        Invariant.Check(shard.Changes.Unsaved == null, "one snapshot at a time");
        shard.Changes.Unsaved = this;
        shard.Changes.Add(this);
    }

    /// <inheritdoc cref="SnapshotPages.WantedBytes"/>
    public long WantedBytes => _pages?.WantedBytes ?? 0;

    private bool IsWalking => !_isDetached && !_walk.IsStopped;

    /// <summary>Goes on.</summary>
    /// <param name="tier">The worker's way to the device, if there is one.</param>
    /// <param name="deadline">Until when.</param>
    /// <param name="steps">How many steps at most.</param>
    public StepResult Step(TierWorker? tier, in Deadline deadline, int steps)
    {
        try
        {
            if (IsWalking)
            {
                var result = GoOn(tier, deadline, steps);
                if (result != StepResult.Done)
                {
                    return result;
                }

                _sink.End();
            }
        }
        catch (Exception exception) when (SnapshotWalk.IsWantOfMemory(exception))
        {
            _walk.Fail(exception);
        }

        return TryDetach() ? StepResult.Done : StepResult.Waits;
    }

    /// <inheritdoc/>
    public void BeforeChange(in Key key, in Record record)
    {
        if (!IsWalking)
        {
            return;
        }

        try
        {
            PassUnitOf(key.Hash);
            if (!record.IsNull)
            {
                _pages?.NoteIfCold(record);
                Finish(record);
            }
        }
        catch (Exception exception) when (SnapshotWalk.IsWantOfMemory(exception))
        {
            _walk.Fail(exception);
        }
    }

    /// <inheritdoc/>
    public void Changed(in Key key, in Record record, in Change change)
    {
        // What was there before is saved.
    }

    /// <summary>All at once is too much to be saved first. The snapshot ends; it can be begun anew, after this.
    /// </summary>
    public void BeforeClear(int database)
    {
        var isAny = database == ShardChanges.AllDatabases
            ? _shard.Index.Count > 0
            : _shard.Databases.Keys((byte)database) > 0;
        if (IsWalking && isAny)
        {
            _walk.Fail(new SnapshotFailure("the keys were deleted by FLUSHALL or FLUSHDB", database));
        }

        if (_walk.IsStopped)
        {
            _ = TryDetach();
        }
    }

    /// <inheritdoc/>
    public void Cleared(int database, IChangeAuthor? author)
    {
    }

    /// <inheritdoc/>
    public void BeforeExchange(byte first, byte second)
    {
        // Which database is which is part of the snapshot's moment.
    }

    /// <inheritdoc/>
    public void Exchanged(byte first, byte second, IChangeAuthor? author)
    {
    }

    /// <inheritdoc/>
    public void BeforeMove(in Record record)
    {
        if (!IsWalking)
        {
            return;
        }

        try
        {
            if (_pages?.NoteIfCold(record) == true || _kept?.Has(record.Address) == true)
            {
                // Of the one it is no part as long as it is not in memory, of the other no more when it is.
                PassUnitOf(record.ComputeHash());
            }

            Finish(record);
        }
        catch (Exception exception) when (SnapshotWalk.IsWantOfMemory(exception))
        {
            _walk.Fail(exception);
        }
    }

    /// <inheritdoc/>
    public void BeforeDrop(int page)
    {
        if (!IsWalking)
        {
            return;
        }

        try
        {
            _kept?.OnDrop(page, this);
            FinishWhere(page, static (value, shard, page) => value.IsInPage(shard.Log, page));
            _pages?.OnDrop(page, this);
        }
        catch (Exception exception) when (SnapshotWalk.IsWantOfMemory(exception))
        {
            _walk.Fail(exception);
        }
    }

    /// <inheritdoc/>
    public void BeforeDoom(byte* root)
    {
        if (!IsWalking)
        {
            return;
        }

        try
        {
            FinishWhere((nint)root, static (value, _, root) => value.HasRoot((byte*)root));
        }
        catch (Exception exception) when (SnapshotWalk.IsWantOfMemory(exception))
        {
            _walk.Fail(exception);
        }
    }

    /// <summary>Whether a command that is about to change a key is to wait, because its value is long and not saved
    /// yet: then it is from here on, next in turn.</summary>
    public bool IsToBeAwaited(in Key key, in Record record)
    {
        if (!IsWalking || !IsLong(record))
        {
            return false;
        }

        BeforeAwaited(key);
        foreach (var value in _long)
        {
            if (value.IsIn(record))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Whether a record, which is in memory, is part of the snapshot and not saved.</summary>
    public bool IsUnsaved(in Record record) => !_units.IsPassed(_units.Of(record.ComputeHash()));

    /// <summary>Whether a record's time had not come at the snapshot's moment.</summary>
    /// <remarks>A checkpoint has the others, too: of those on the device nobody knows without reading.</remarks>
    public bool IsOfMoment(in Record record) => _kept != null || !record.IsExpired(_walk.NowMs);

    /// <summary>Saves a record that was read with its page.</summary>
    public void Save(in Record record) => _sink.Write(record);

    /// <summary>Saves a record that was read with its page, and is too long for one step.</summary>
    public void SaveInSteps(in Record record, PageLoad load)
        => _long.Enqueue(new LongValue(record, load, _shard.Budget));

    /// <summary>Whether a value is written in steps.</summary>
    public bool IsLong(in Record record)
        => record.IsLarge
            ? Collections.ShardCollections.EffortFor(record, Collections.ShardCollections.PackedBytesOf(record))
                > _walk.StepEffort
            : record.ValueLength > _walk.LargestAtOnceBytes;

    /// <summary>The snapshot fails.</summary>
    public void Fail(SnapshotFailure failure) => _walk.Fail(failure);

    private StepResult GoOn(TierWorker? tier, in Deadline deadline, int steps)
    {
        for (; _long.Count > 0; steps--)
        {
            if (_sink.IsFull || !TryStepLong())
            {
                return StepResult.Waits;
            }

            if (steps <= 1 || deadline.HasPassed)
            {
                return StepResult.More;
            }
        }

        for (var isMore = _kept != null; isMore; steps--)
        {
            if (_sink.IsFull)
            {
                return StepResult.Waits;
            }

            isMore = _kept!.WriteSome();
            if (isMore && (steps <= 1 || deadline.HasPassed))
            {
                return StepResult.More;
            }
        }

        for (; _next < _units.Count; steps--)
        {
            if (_sink.IsFull)
            {
                return StepResult.Waits;
            }

            PassSome();
            if (_long.Count > 0 || steps <= 1 || deadline.HasPassed)
            {
                return StepResult.More;
            }
        }

        var result = _pages == null ? StepResult.Done : _pages.Step(tier, deadline, _sink);
        return _long.Count > 0 ? StepResult.More : result; // A page may have been one long value.
    }

    private void PassSome()
    {
        var end = Math.Min(_units.Count, _next + Limits.BucketsPerSnapshotStep);
        for (; _next < end; _next++)
        {
            _units.Prefetch(_next + 2);
            if (_next + 1 < _units.Count)
            {
                PrefetchRecords(_units.FirstBucket(_next + 1));
            }

            if (!_units.IsPassed(_next))
            {
                Pass(_next);
            }
        }
    }

    private void PrefetchRecords(uint number)
    {
        var bucket = _shard.Index.Bucket(number);
        for (var i = 0; i < HashIndex.EntriesPerBucket && bucket[i] != 0; i++)
        {
            _shard.Log.Prefetch(IndexEntry.Address(bucket[i]));
        }
    }

    /// <summary>Saves the unit of a hash, if it was not saved yet.</summary>
    public void PassUnitOf(ulong hash)
    {
        var unit = _units.Of(hash);
        if (!_units.IsPassed(unit))
        {
            Pass(unit);
        }
    }

    /// <summary>Saves the keys of a unit that are in memory.</summary>
    private void Pass(uint unit)
    {
        _units.Pass(unit);
        var number = _units.FirstBucket(unit);
        do
        {
            for (var bucket = _shard.Index.Bucket(number); bucket != null; bucket = _shard.Index.Next(bucket))
            {
                for (var i = 0; i < HashIndex.EntriesPerBucket; i++)
                {
                    if (bucket[i] != 0 && _units.Has(unit, bucket[i], number))
                    {
                        Save(bucket[i], number);
                    }
                }
            }
        }
        while (_units.TryNextBucket(unit, ref number));
    }

    private void Save(ulong entry, uint bucket)
    {
        var address = IndexEntry.Address(entry);
        if (_kept?.Has(address) == true)
        {
            const uint BitsBelowTag = (1u << IndexEntry.BucketBitsBelowTag) - 1;
            ((ICheckpointSink)_sink).WriteEntry(entry, (byte)(bucket & BitsBelowTag));
            return;
        }

        if (_shard.Log.IsCold(address))
        {
            return; // It is saved with its page.
        }

        var record = _shard.Log.Open(address);
        if (!IsOfMoment(record))
        {
            return;
        }

        if (IsLong(record) && (record.IsLarge || _shard.Log.IsAlone(record)))
        {
            _long.Enqueue(new LongValue(record, _shard.Budget));
        }
        else
        {
            _sink.Write(record);
        }
    }

    /// <summary>Makes a step of the first of the long values.</summary>
    /// <returns>False when it cannot be begun yet.</returns>
    private bool TryStepLong()
    {
        var value = _long.Peek();
        if (!value.IsBegun && !(value.IsBegun = _sink.TryBegin(value.Record)))
        {
            return false;
        }

        if (_sink.Step(value.Record, _walk.StepEffort))
        {
            _ = _long.Dequeue();
            value.Free();
        }

        return true;
    }

    /// <summary>Saves at once what is left of the value of a record, if it is saved in steps.</summary>
    private void Finish(in Record record)
    {
        if (_long.Count == 0)
        {
            return;
        }

        foreach (var value in _long)
        {
            if (value.IsIn(record))
            {
                FinishWhere(value, static (other, _, value) => other == value);
                return;
            }
        }
    }

    private void FinishWhere<T>(T state, Func<LongValue, Shard, T, bool> isMeant)
    {
        for (var left = _long.Count; left > 0; left--)
        {
            var value = _long.Dequeue();
            if (!isMeant(value, _shard, state))
            {
                _long.Enqueue(value); // All go round once, so that they keep their order.
                continue;
            }

            try
            {
                FinishAtOnce(value);
            }
            finally
            {
                value.Free();
            }
        }
    }

    private void FinishAtOnce(LongValue value)
    {
        if (!value.IsBegun)
        {
            _sink.Write(value.Record);
            return;
        }

        while (!_sink.Step(value.Record, int.MaxValue))
        {
            // Each goes on.
        }
    }

    private void BeforeAwaited(in Key key)
    {
        try
        {
            PassUnitOf(key.Hash);
        }
        catch (Exception exception) when (SnapshotWalk.IsWantOfMemory(exception))
        {
            _walk.Fail(exception);
        }
    }

    /// <summary>Is told of the shard no more, and gives back what it holds of it.</summary>
    /// <returns>False when reads are under way that have to end first.</returns>
    private bool TryDetach()
    {
        if (!_isDetached)
        {
            _isDetached = true;
            _shard.Changes.Unsaved = null;
            _shard.Changes.Remove(this);
            _units.Free();
            _kept?.Free();
            while (_long.TryDequeue(out var value))
            {
                value.Free();
            }
        }

        return _pages == null || _pages.TryEnd();
    }
}
