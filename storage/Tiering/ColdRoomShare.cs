using Strata.Storage.Runtime;

namespace Strata.Storage.Tiering;

/// <summary>What one set of cold records has taken of the room for them (<see cref="ColdReadRoom"/>), and what it waits
/// for. Belongs to the set's worker, but while it waits, to the room.</summary>
internal sealed class ColdRoomShare
{
    private readonly Action<bool> _onEnded;
    private readonly WorkItem _ended;
    private bool _isGranted;
    private bool _isGivenUp;
    private ColdReadRoom? _room;

    /// <summary>Nothing is taken.</summary>
    /// <param name="worker">The set's worker; null where nothing is read.</param>
    /// <param name="onEnded">Told, on the worker's thread, when a wait has ended, and whether what was waited for is
    /// taken.</param>
    public ColdRoomShare(TierWorker? worker, Action<bool> onEnded)
    {
        Worker = worker!;
        _onEnded = onEnded;
        _ended = new ColdReadNotice(End);
    }

    public TierWorker Worker { get; }

    /// <summary>What is taken, bytes.</summary>
    public long TakenBytes { get; private set; }

    /// <summary>What is waited for, bytes: the most that the reads may need.</summary>
    public long WantedBytes { get; private set; }

    /// <summary>What of it they need for certain, and is not charged yet, bytes.</summary>
    public long CertainBytes { get; private set; }

    /// <summary>Since when it is waited for, milliseconds since 1970.</summary>
    public long SinceMs { get; private set; }

    /// <summary>Whether what is waited for is of no use any more.</summary>
    public bool IsGivenUp => Volatile.Read(ref _isGivenUp);

    /// <summary>What of it is charged for reads that have yet to take it, bytes.</summary>
    public long ReservedBytes { get; private set; }

    /// <summary>Takes memory for reads if they need not wait.</summary>
    /// <param name="bytes">What they may need, bytes.</param>
    /// <param name="certainBytes">What of it they need for certain, and is not charged yet.</param>
    public bool TryTake(long bytes, long certainBytes)
    {
        var all = TakenBytes + bytes;
        var room = RoomFor(all);
        var isSame = TakenBytes == 0 || room == _room;
        if (!room.TryTake(isSame ? bytes : all, certainBytes, isSame ? TakenBytes : 0, Worker))
        {
            return false;
        }

        if (!isSame)
        {
            _room!.Release(TakenBytes);
        }

        _room = room;
        TakenBytes = all;
        Reserve(certainBytes);
        return true;
    }

    /// <summary>Waits for it, holding nothing.</summary>
    /// <inheritdoc cref="TryTake"/>
    public void Wait(long bytes, long certainBytes)
    {
        Settle(0);
        WantedBytes = bytes;
        CertainBytes = certainBytes;
        SinceMs = Worker.NowMs;
        _isGivenUp = false;
        _room = RoomFor(bytes);
        Worker.BeginRoomWait();
        _room.Wait(this);
    }

    /// <summary>What is waited for, if anything is, is of no use any more: the wait ends when its turn comes.</summary>
    public void GiveUp() => Volatile.Write(ref _isGivenUp, true);

    /// <summary>Takes memory for reads that cannot wait.</summary>
    public void Take(long bytes) => Settle(TakenBytes + bytes);

    /// <summary>One of the reads has taken memory, which it is charged for by itself.</summary>
    public void OnCharged(long bytes) => Reserve(-Math.Min(bytes, ReservedBytes));

    /// <summary>Takes the room for what is held, and no more.</summary>
    public void Settle(long heldBytes)
    {
        Reserve(-ReservedBytes);
        if (TakenBytes != heldBytes)
        {
            _room = TakenBytes == 0 ? RoomFor(heldBytes) : _room;
            _room!.Correct(heldBytes - TakenBytes);
            TakenBytes = heldBytes;
        }
    }

    // What the reads will take is charged from the moment there was room for it: until they have come that far, others
    // would take the same.
    private void Reserve(long bytes)
    {
        if (bytes != 0)
        {
            ReservedBytes += bytes;
            Worker.Budget.Charge(bytes);
        }
    }

    private ColdReadRoom RoomFor(long bytes)
        => bytes <= Limits.FreeColdBytes ? Worker.Tier.LittleColdRoom : Worker.Tier.ColdRoom;

    /// <summary>The wait has ended. Any thread; the worker learns of it.</summary>
    /// <param name="isGranted">Whether what was waited for is taken.</param>
    internal void EndWait(bool isGranted)
    {
        if (isGranted)
        {
            TakenBytes = WantedBytes;
            Reserve(CertainBytes);
        }

        _isGranted = isGranted;
        if (Worker.Worker is { } worker)
        {
            worker.Post(_ended);
        }
        else
        {
            End();
        }
    }

    private void End()
    {
        Worker.EndRoomWait();
        _onEnded(_isGranted);
    }
}
