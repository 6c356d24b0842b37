using Strata.Storage.Collections;
using Strata.Storage.Devices;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Records;

namespace Strata.Storage.Tiering;

/// <summary>
/// The cold records that commands need: those that look-ups met without having them, and, once they are read, the
/// records; and the frozen collections that are made large for them. A command looks keys up with a set; when it asked
/// for something new, its reply is thrown away, the set is read, and the command executed again. What was read counts
/// only as long as the index still points to its place on the device, so that nothing outdated is used. Before reads
/// begin the set takes the memory that they may need (<see cref="ColdReadRoom"/>), or waits for it and holds nothing
/// meanwhile. Belongs to one worker.
/// </summary>
public sealed class ColdReadSet : IColdRecords
{
    private readonly TierWorker? _worker;
    private readonly ColdReadList _reads;
    private readonly ColdRoomShare _room;
    private IColdReadWaiter? _waiter;
    private int _started;
    private int _missing;
    private long _use = 1;
    private bool _isOpened;
    private bool _isInParts;
    private long _heldBytes;
    private long _pinnedBytes;
    private ThawRounds _thaws;
    private ColdShortage _shortage;

    /// <summary>A set that reads through a worker; or, without one, a set that only counts what it was asked for: for
    /// commands that another worker executes, to which they must return.</summary>
    public ColdReadSet(TierWorker? worker = null)
    {
        _worker = worker;
        _reads = new ColdReadList(worker);
        _room = new ColdRoomShare(worker, OnRoom);
    }

    /// <summary>Records asked for, read or not.</summary>
    public int Count => _reads.Count;

    /// <summary>Whether records were asked for whose reading has not begun: their places must stay.</summary>
    public bool HasUnread => _started < _reads.Count;

    /// <summary>What those may hold when they are read, bytes.</summary>
    public long UnreadBytes => _reads.MostBytesFrom(_started);

    /// <summary>How often a look-up met a record that is on the device alone.</summary>
    public long Lookups { get; private set; }

    /// <summary>How often a look-up met a record that is not there yet: a command during which this changed has seen
    /// less than it should.</summary>
    public long Misses { get; private set; }

    /// <summary>Whether the sets of the worker have asked for many records, all together.</summary>
    public bool AreManyUnderWay => _worker is { ColdAsks: > Limits.ManyColdReads };

    /// <summary>What all the records take that were asked for, bytes, where there was no memory for some of them, and
    /// otherwise 0.</summary>
    public long ShortBytes => _shortage.Reads == 0 ? 0 : (Count + _shortage.Reads) * ColdRead.LeastHeldBytes;

    /// <summary>Whether reads, or what follows them, are under way.</summary>
    public bool IsReading => _missing > 0;

    /// <summary>Whether a look-up met a record that cannot be had, since <see cref="ForgetFailure"/>.</summary>
    public ColdReadFailure Failure { get; private set; }

    /// <summary>The errno that goes with it.</summary>
    public int FailureErrno { get; private set; }

    /// <summary>Whether values are looked at: where not, of large records only header and key are read.</summary>
    public bool TakesValues { get; set; } = true;

    /// <summary>Whether more was asked for at a time than memory may hold: some of it is not read. Not of what is read
    /// in parts.</summary>
    public bool HasRefused { get; private set; }

    // What one command may hold: anything at all where it is one record, since that was in memory once.
    private long MostHeldBytes
        => _isInParts || _reads.Count == 1 ? long.MaxValue : ColdReadRoom.MostBytesOfCommand(_worker!.Budget);

    /// <summary>Whether the records of one command may ever take so many bytes.</summary>
    public bool MayHold(long bytes) => bytes <= MostHeldBytes && !_worker!.Budget.CanNeverHold(bytes);

    /// <summary>Forgets what the last command met.</summary>
    public void ForgetFailure() => Failure = ColdReadFailure.None;

    /// <summary>Takes back what was asked for and has not been read.</summary>
    public void ForgetUnread() => Rewind(_started);

    /// <summary>What there was no memory for (<see cref="ShortBytes"/>) is refused when it is asked for again, or taken
    /// all the same.</summary>
    public void EndShortage(bool isTaken)
    {
        ForgetUnread();
        _shortage.End(isTaken);
    }

    /// <summary>Takes back what was asked for after there were <paramref name="count"/>: whoever asked had seen a shard
    /// half changed.</summary>
    public void Rewind(int count)
    {
        Invariant.Check(count >= _started, "only what is not being read is taken back");
        _reads.Truncate(count);
        _shortage.Forget();
    }

    /// <summary>Begins to read all that was asked for, or waits for the memory it takes.</summary>
    /// <param name="waiter">Who is told when it has been read.</param>
    /// <param name="isInParts">Whether those who asked can be executed one by one: then only as much is read as may be
    /// held at a time, in the order in which it was asked for, and the rest is to be asked for again.</param>
    /// <returns>False when nothing is being read: <paramref name="waiter"/> is not called.</returns>
    public bool TryStart(IColdReadWaiter waiter, bool isInParts = false)
    {
        _waiter = waiter;
        _isInParts = isInParts;
        _thaws.Begin();
        _shortage.Forget();
        StartUnread();
        return _missing > 0;
    }

    /// <summary>Reads all that was asked for while the thread waits: for a command in the midst of others, which have
    /// changed something and cannot be executed again. It waits for no room, as who has that may wait for leases which
    /// are held meanwhile.</summary>
    /// <exception cref="DeviceException">The kernel gives no more queues.</exception>
    public void ReadNow()
    {
        Invariant.Check(HasUnread && _missing == 0, "there is something to read, and nothing is being read");
        _waiter = NobodyWaits.Instance;
        (var most, _pinnedBytes, var newBytes) = _reads.Pin(_started, _reads.Count);
        if (!MayHold(_heldBytes + _pinnedBytes))
        {
            RefusePinned(ColdReadState.TooLarge);
        }
        else if (newBytes > Limits.FreeColdBytes && _worker!.Budget.WouldPassEndNow(newBytes))
        {
            RefusePinned(ColdReadState.NoRoom);
        }
        else
        {
            _room.Take(most);
            AwaitPinned();
        }

        _started = _reads.Count;
    }

    /// <summary>Nobody needs what is waited for any more: that is not read, if there is no room for it yet.</summary>
    public void GiveUpWait() => _room.GiveUp();

    /// <summary>What was looked up since the last call was used by a command that is done, or will be by one that is
    /// to be executed again.</summary>
    public void EndUse(bool isDone)
    {
        if (_isOpened && isDone)
        {
            _use++;
        }
        else if (_isOpened)
        {
            _reads.Unuse(_use);
        }

        _isOpened = false;
    }

    /// <summary>Forgets the records that commands have used which are done, and gives their memory back.</summary>
    /// <param name="nowMs">Milliseconds since 1970.</param>
    public void ForgetUsed(long nowMs)
    {
        if (_missing > 0)
        {
            return; // Of one of them a collection is being made large.
        }

        var (count, bytes) = _reads.RemoveUsed(nowMs);
        _started -= count; // They have been read.
        _heldBytes -= bytes;
        _room.Settle(_heldBytes);
    }

    /// <summary>Asks for a frozen collection to be made large, if that takes long. It counts as a miss then. Under the
    /// shard's lease.</summary>
    /// <param name="store">The shard.</param>
    /// <param name="key">The key.</param>
    /// <param name="frozen">Its record as just looked up.</param>
    public void Thaw(TieredStore store, in Key key, in Record frozen)
    {
        var tier = store.Tier!;
        if (ShardCollections.EffortFor(frozen, frozen.ValueLength) <= tier.Tier.StepEffort)
        {
            return;
        }

        if (_worker != null && _thaws.AreRefused(_worker.Budget))
        {
            RefuseForNoRoom();
            return;
        }

        if (!_thaws.TryAsk())
        {
            return;
        }

        Misses++;
        if (_worker != null)
        {
            var read = _reads.ReadAt(_reads.Find(store, frozen.Address, takesValue: true));
            _missing += tier.TryThaw(this, _worker, key.Hash, frozen, read) ? 1 : 0;
        }
    }

    /// <summary>Gives the set back; nothing of it may be under way.</summary>
    public void Return() => _worker!.Sets.Return(this);

    /// <summary>Makes the set ready for other commands; nothing of it may be under way. Costs next to nothing when
    /// nothing was asked for, as where nothing is cold.</summary>
    public void Reset()
    {
        if (_waiter != null || !_reads.IsNew)
        {
            Clear();
            _waiter = null;
            ForgetFailure();
        }
    }

    /// <summary>The commands have used the records: those that were read again since they left memory go back there,
    /// if so configured and their shards' leases are free.</summary>
    public void End(long nowMs)
    {
        if (_reads.Count > 0 && _worker!.Tier.CopiesReadsToTail)
        {
            _reads.CopyToTail(nowMs);
        }

        Reset();
    }

    /// <summary>Forgets all records, so that others find room. None may be under way.</summary>
    public void Clear()
    {
        Invariant.Check(_missing == 0, "a set that is read is waited for");
        _reads.Clear();
        _started = 0;
        _isInParts = false;
        _thaws = default;
        _shortage = default;
        _heldBytes = 0;
        HasRefused = false;
        _room.Settle(_heldBytes);
    }

    /// <inheritdoc/>
    public bool TryOpen(RecordStore store, ulong address, out Record record)
    {
        record = default;
        Lookups++;
        if (_worker == null)
        {
            Misses++;
            return false;
        }

        var index = _reads.Find(store, address, TakesValues);
        if (index < 0)
        {
            Ask(store, address);
            return false;
        }

        if (_reads.ReadAt(index) is { State: ColdReadState.Read } read)
        {
            read.Use = _use;
            _isOpened = true;
            record = read.Record;
            return true;
        }

        var (failure, errno) = _reads.FailureAt(index);
        if (failure == ColdReadFailure.None)
        {
            Misses++;
        }
        else
        {
            (Failure, FailureErrno) = (failure, errno);
        }

        return false;
    }

    /// <summary>A record of the set that a key of <paramref name="database"/> still has.</summary>
    public bool TryTakeLive(byte database, long nowMs, out Record record)
        => _reads.TryFindLive(database, nowMs, out record);

    /// <summary>What becomes of a read that has found out how large its record is: it goes on, or is refused.</summary>
    /// <param name="bytes">Bytes of the record.</param>
    /// <param name="isKnown">Whether that was known when there was room for it.</param>
    internal ColdReadState Admit(long bytes, bool isKnown)
    {
        var isFree = isKnown || _isInParts || _heldBytes <= Limits.FreeColdBytes;
        var state = bytes > MostHeldBytes - _heldBytes ? ColdReadState.TooLarge
            : isFree || !_worker!.Budget.WouldPassEndNow(bytes) ? ColdReadState.Reading
            : ColdReadState.NoRoom;
        HasRefused |= state != ColdReadState.Reading;
        return state;
    }

    /// <inheritdoc cref="ColdRoomShare.OnCharged"/>
    internal void OnCharged(long bytes) => _room.OnCharged(bytes);

    /// <summary>One of the reads holds so much less.</summary>
    internal void OnSpent(long bytes) => _heldBytes -= bytes;

    /// <summary>One of the reads has ended.</summary>
    internal void OnRead(ColdRead read)
    {
        _heldBytes += read.HeldBytes;
        EndWait();
    }

    /// <summary>A collection that was asked for is large, or nobody's, or there was no room for it. On the thread of
    /// <paramref name="worker"/>, whose task it was.</summary>
    internal void OnThawed(TierWorker worker, bool isRefused)
    {
        if (worker != _worker)
        {
            _worker!.Worker!.Post(new ColdReadNotice(() => OnThawed(_worker, isRefused)));
            return;
        }

        _thaws.End(isRefused);
        EndWait();
    }

    /// <summary>There is room for what waits, or none will come.</summary>
    private void OnRoom(bool isGranted)
    {
        if (isGranted)
        {
            StartPinned();
        }
        else
        {
            RefusePinned(ColdReadState.NoRoom);
        }

        EndWait();
    }

    private void Ask(RecordStore store, ulong address)
    {
        if (_isInParts || _shortage.TryTake(_worker!, _reads.Count, MostHeldBytes))
        {
            store.Log.Device!.Segments.BeginReads(_worker!.Number);
            _reads.Add(ColdAsk.For(store.Number, address, store.Log, TakesValues));
        }
        else if (_shortage.IsRefused)
        {
            RefuseForNoRoom();
            return;
        }

        Misses++;
    }

    private void RefuseForNoRoom()
    {
        (Failure, FailureErrno) = (ColdReadFailure.NoRoom, 0);
        HasRefused |= !_isInParts;
    }

    private void EndWait()
    {
        if (--_missing == 0)
        {
            _room.Settle(_heldBytes);
            _waiter!.OnColdReads();
        }
    }

    /// <summary>Begins what was asked for, waits for room, or refuses it.</summary>
    private void StartUnread()
    {
        if (!HasUnread)
        {
            return;
        }

        if (_isInParts)
        {
            Rewind(_reads.EndOfPart(_started, _worker!.Tier.ColdPartBytes - _heldBytes));
        }

        (var most, _pinnedBytes, var newBytes) = _reads.Pin(_started, _reads.Count);
        if (!MayHold(_heldBytes + _pinnedBytes))
        {
            RefusePinned(ColdReadState.TooLarge);
        }
        else if (_room.TryTake(most, newBytes))
        {
            StartPinned();
        }
        else if (_missing > 0)
        {
            // A collection is made large of what the set holds. When that is done, the rest is asked for again.
            _reads.Unpin(ColdReadState.Asked);
            ForgetUnread();
        }
        else
        {
            WaitForRoom(most, newBytes);
        }

        _started = _reads.Count;
    }

    /// <summary>Waits for room for all that the commands need: who holds some of it would wait for others that do so,
    /// too. Commands that are executed one by one ask again for what was read for them.</summary>
    private void WaitForRoom(long bytes, long newBytes)
    {
        _reads.AskAgain(_started);
        if (_isInParts)
        {
            _started -= _reads.RemoveAsked(_started);
        }

        _heldBytes = 0;
        var (most, least, more) = _reads.Pin(0, _started);
        _pinnedBytes += least;
        _missing++;
        _room.Wait(bytes + most, newBytes + more);
    }

    private void AwaitPinned()
    {
        try
        {
            _worker!.BeginAwaitingReads();
        }
        catch (DeviceException)
        {
            _reads.Unpin(ColdReadState.Asked);
            ForgetUnread();
            _room.Settle(_heldBytes);
            throw;
        }

        try
        {
            BeginPinned();
            while (_missing > 0)
            {
                _worker.AwaitRead();
            }
        }
        finally
        {
            _worker.EndAwaitingReads();
        }
    }

    private void StartPinned()
    {
        _worker!.LetGo((2 * _pinnedBytes) - _room.ReservedBytes); // What is read is answered, in as much again.
        BeginPinned();
    }

    private void BeginPinned()
    {
        _missing++; // Reads that end at once must not end the wait for those not begun.
        for (var i = 0; i < _reads.Count; i++)
        {
            if (_reads.StateAt(i) == ColdReadState.Pinned)
            {
                _missing++;
                if (!_reads.TryStart(this, i))
                {
                    _missing--;
                    HasRefused |= !_isInParts;
                }
            }
        }

        _missing--;
    }

    private void RefusePinned(ColdReadState state)
    {
        HasRefused |= !_isInParts;
        _reads.Unpin(state);
    }
}
