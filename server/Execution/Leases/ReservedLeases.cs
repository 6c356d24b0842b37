using Strata.Storage.Leases;
using Strata.Storage.Runtime;

namespace Strata.Server.Execution.Leases;

/// <summary>Takes all leases for what a worker does on behalf of nobody; on its thread. Where one is taken, all are
/// reserved from then on, so that a busy server does not keep it from its turn.</summary>
internal sealed class ReservedLeases : LeaseClaim, IDisposable
{
    private readonly ExecutionWorker _owner;
    private readonly LeaseSet _leases;

    /// <summary>Those of a worker's shards.</summary>
    public ReservedLeases(ExecutionWorker owner)
        : base(owner.Server.Shards.Reservation, owner.Worker)
    {
        _owner = owner;
        _leases = new LeaseSet(owner.Server.Shards, owner.Services.Journal);
        _leases.AddAll();
    }

    /// <summary>Does something under all leases.</summary>
    /// <returns>False when one of them was not to be had: it is to be tried again in another turn.</returns>
    public bool TryDo(Action action)
    {
        if (!TryHold())
        {
            return false;
        }

        try
        {
            action();
        }
        finally
        {
            GiveBack();
        }

        return true;
    }

    /// <summary>Takes all leases, also where one worker alone would do without: it may hold them from turn to turn.
    /// </summary>
    /// <returns>False when one of them was not to be had: it is to be tried again in another turn.</returns>
    public bool TryHold()
    {
        if (_leases.AcquireAll(IsHeld ? this : null) != null)
        {
            _ = IsHeld || TryTake();
            return false;
        }

        _owner.Server.Quiescence.EndReads(_owner.Number);
        return true;
    }

    /// <summary>Gives back what is held.</summary>
    public void GiveBack() => _leases.ReleaseAll(_owner.Executor, _owner.Worker.NowMs, IsHeld ? this : null);

    /// <inheritdoc/>
    public override void Run(Worker worker)
    {
        // That the worker has been woken is all.
    }

    /// <inheritdoc/>
    public void Dispose() => _leases.Dispose();
}
