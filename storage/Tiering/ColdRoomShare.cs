using Strata.Storage.Runtime;

namespace Strata.Storage.Tiering;

/// <summary>What one set of cold records has taken of the room for them (<see cref="ColdReadRoom"/>), and what it waits
/// for. Belongs to the set's worker, but while it waits, to the room.</summary>
internal sealed class ColdRoomShare
{
    private readonly Action<bool> _onEnded;
    private readonly WorkItem _ended;
    private bool _isGranted;

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

    /// <summary>What of it they need for certain, bytes.</summary>
    public long CertainBytes { get; private set; }

    /// <summary>Since when it is waited for, milliseconds since 1970.</summary>
    public long SinceMs { get; private set; }

    private ColdReadRoom Room => Worker.Tier.ColdRoom;

    /// <summary>Takes memory for reads if they need not wait.</summary>
    /// <param name="bytes">What they may need, bytes.</param>
    /// <param name="certainBytes">What of it they need for certain.</param>
    public bool TryTake(long bytes, long certainBytes)
    {
        if (!Room.TryTake(bytes, certainBytes, Worker))
        {
            return false;
        }

        TakenBytes += bytes;
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
        Worker.BeginRoomWait();
        Room.Wait(this);
    }

    /// <summary>Takes memory for reads that cannot wait.</summary>
    public void Take(long bytes) => Settle(TakenBytes + bytes);

    /// <summary>Takes the room for what is held, and no more.</summary>
    public void Settle(long heldBytes)
    {
        if (TakenBytes != heldBytes)
        {
            Room.Correct(heldBytes - TakenBytes);
            TakenBytes = heldBytes;
        }
    }

    /// <summary>The wait has ended. Any thread; the worker learns of it.</summary>
    /// <param name="isGranted">Whether what was waited for is taken.</param>
    internal void EndWait(bool isGranted)
    {
        TakenBytes = isGranted ? WantedBytes : 0;
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
