using Strata.Server.Clients;
using Strata.Server.Clients.Waiting;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Server.Runtime;
using Strata.Storage;
using Strata.Storage.Memory;
using Strata.Storage.Tiering;

namespace Strata.Server.Execution;

/// <summary>A command outside of runs that waits. It has passed all checks, and is executed again when what it waits
/// for may be there; its bytes lie here, and no longer in the receive buffer.</summary>
internal sealed unsafe class SuspendedCommand : SuspendedWork
{
    /// <summary>Memory of the object itself and of what it always has, about.</summary>
    public const int ManagedBytes = 512;

    private readonly LoneExecutor _executor;
    private readonly BufferPool _buffers;
    private int _leaseWaits;
    private NativeBlock _arguments;
    private byte* _start;
    private MemoryCharge _charge;
    private int _count;
    private int _partStart;
    private int _partCount;

    /// <summary>Nothing that waits yet.</summary>
    /// <param name="executor">What executes it.</param>
    /// <param name="worker">The worker it is executed on.</param>
    public SuspendedCommand(LoneExecutor executor, ExecutionWorker worker)
    {
        _executor = executor;
        _buffers = worker.Budget.Buffers;
        _charge = new MemoryCharge(worker.Budget);
        Input = new TakenInput(worker.Budget);
        CommandRoom = new CommandRoom(worker);
        Claim = new SessionClaim(worker.Server.Shards.Reservation, worker.Worker);
    }

    /// <summary>What has its leases reserved, once it has found one taken too often.</summary>
    public SessionClaim Claim { get; }

    /// <summary>The memory that is made for a command which found none.</summary>
    public CommandRoom CommandRoom { get; }

    /// <summary>Its bytes.</summary>
    public TakenInput Input { get; }

    /// <summary>The command.</summary>
    public CommandRow Row { get; private set; } = null!;

    /// <summary>Its arguments; of one that is executed in parts, the next part's.</summary>
    public Request Request => new(_start, (Argument*)_arguments.Start + _partStart, _partCount);

    /// <summary>All its arguments. Of one that is executed in parts the verb stands in some places among them.
    /// </summary>
    public Request Whole => new(_start, (Argument*)_arguments.Start, _count);

    /// <summary>Whether it is executed in parts (<see cref="CommandFlags.Divisible"/>).</summary>
    public bool IsDivided { get; private set; }

    /// <summary>Whether a part of it was executed.</summary>
    public bool IsContinued { get; set; }

    /// <summary>What its parts took by now, in the clock's ticks.</summary>
    public long SpentTicks { get; set; }

    /// <summary>Bytes that it was sent in.</summary>
    public int Length { get; private set; }

    /// <inheritdoc/>
    public override long MemoryBytes => _charge.Bytes + Input.ChargedBytes + CommandRoom.ChargedBytes;

    /// <inheritdoc/>
    public override bool IsLong => Cold is { Count: > ServerLimits.FewColdReadsPerStep };

    /// <summary>The cold records that it needs; null where none can be, and while it waits for a key.</summary>
    public ColdReadSet? Cold { get; set; }

    /// <summary>Takes over the command of a context, which from here on has it from here.</summary>
    /// <param name="context">What it was to be executed with.</param>
    /// <param name="length">Bytes that it was sent in.</param>
    /// <exception cref="OutOfMemoryException">No memory for its bytes.</exception>
    public void Take(CommandContext context, int length)
    {
        Row = context.Row;
        Cold = context.Cold;
        Length = length;
        _count = context.Count;
        (_partStart, _partCount) = (0, _count);
        _buffers.Resize(ref _arguments, ref _charge, (long)_count * sizeof(Argument), fits: true);
        context.Request.CopyArguments((Argument*)_arguments.Start);
        Input.MakeRoom(context.Request.Start, length, context.Input?.Movable);
        _start = Input.Take(context.Request.Start, length);
        context.Request = Request;
        context.Taken = Input;
        context.CommandRoom = CommandRoom;
    }

    /// <summary>From here on it is executed in parts.</summary>
    public void Divide()
    {
        IsDivided = true;
        _partCount = Math.Min(_count, 1 + ServerLimits.NamesAtOnce);
    }

    /// <summary>A part was executed: goes on to the next one.</summary>
    /// <returns>False when it was the last.</returns>
    public bool TryGoOn()
    {
        var next = _partStart + _partCount;
        if (next >= _count)
        {
            return false;
        }

        var arguments = (Argument*)_arguments.Start;
        arguments[next - 1] = arguments[0];
        _partStart = next - 1;
        _partCount = Math.Min(_count - _partStart, 1 + ServerLimits.NamesAtOnce);
        return true;
    }

    /// <summary>Has the leases reserved from the next attempt on, if one was taken too often and nobody else has any
    /// reserved.</summary>
    /// <returns>Whether that is new.</returns>
    public bool TryClaim()
        => !Claim.IsHeld && ++_leaseWaits > Limits.LeaseWaitsBeforeReserving && Claim.TryTake();

    /// <inheritdoc/>
    public override bool ChangesSomething => Row.Has(CommandFlags.Write);

    /// <summary>Whether it is of no use when its client has gone.</summary>
    public bool ServesClientAlone
        => Row.Has(CommandFlags.ReadOnly | CommandFlags.Blocking | CommandFlags.HoldsMemory);

    /// <inheritdoc/>
    public override void OnClientGone()
    {
        if (ServesClientAlone)
        {
            Cold?.GiveUpWait();
        }
    }

    /// <inheritdoc/>
    public override bool TryMakeRoom(long nowMs) => CommandRoom.TryMake(nowMs);

    /// <inheritdoc/>
    public override bool TryContinue(Session session) => _executor.TryContinue(session, this);

    /// <inheritdoc/>
    public override void End() => _executor.Suspended.Return(this);

    /// <summary>Forgets the command.</summary>
    public void Clear()
    {
        Claim.Abandon();
        CommandRoom.Clear();
        _leaseWaits = 0;
        IsDivided = false;
        IsContinued = false;
        SpentTicks = 0;
        Cold?.Return();
        Cold = null;
        Input.Free();
        _buffers.Free(ref _arguments, ref _charge);
        _start = null;
        _count = 0;
    }
}
