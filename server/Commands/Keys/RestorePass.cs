using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Rdb;
using Strata.Server.Runtime;
using Strata.Storage.Changes;
using Strata.Storage.Leases;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;
using Strata.Storage.Sharding;

namespace Strata.Server.Commands.Keys;

/// <summary>
/// RESTORE of a payload: its checksum, then its value, which no key has before it is whole. A long one is read in
/// steps, between which the lease is given back and others have their turn. If the client goes meanwhile, what there is
/// of it is given up under the lease by whoever has that.
/// </summary>
internal sealed unsafe class RestorePass : IDisposable
{
    private readonly Shard _shard;
    private readonly ClientWorker _worker;
    private readonly RdbInput _input = new(start: null, length: 0);
    private readonly RdbValueReader _value;
    private Crc64 _crc;
    private int _summed;
    private bool _isSummed;
    private bool _hasBegun;

    public RestorePass(CommandContext context, ClientWorker worker)
    {
        _shard = context.Shard;
        _worker = worker;
        _value = new RdbValueReader(worker.Budget);
    }

    /// <summary>Whether the value is for a shard: databases that change places make it another one.</summary>
    public bool IsFor(Shard shard) => shard == _shard;

    /// <summary>Goes on with the payload, which is the command's third argument; the lease is held.</summary>
    /// <param name="context">The command.</param>
    /// <param name="mayStop">Whether it may stop in the midst of it.</param>
    /// <param name="isWhole">Whether the value is whole.</param>
    /// <returns>What is wrong with it; empty if nothing.</returns>
    /// <exception cref="MemoryExhaustedException">It is to begin anew.</exception>
    public ReadOnlySpan<byte> Step(CommandContext context, bool mayStop, out bool isWhole)
    {
        var payload = context.Argument(3);
        mayStop &= payload.Length > ServerLimits.MaxRestoredAtOnceBytes;
        isWhole = false;
        if (!_isSummed && !TrySum(payload, mayStop))
        {
            return _isSummed ? "ERR DUMP payload version or checksum are wrong"u8 : default;
        }

        try
        {
            return Read(context, payload, mayStop, out isWhole) ? default : "ERR Bad data format"u8;
        }
        catch (RdbException)
        {
            return "ERR Bad data format"u8;
        }
        catch (MemoryExhaustedException)
        {
            Abandon();
            throw;
        }
    }

    /// <summary>Makes the value, which is whole, the key's.</summary>
    /// <exception cref="MemoryExhaustedException">It is to begin anew.</exception>
    public Record Put(CommandContext context, in Record existing, long expiryMs)
    {
        try
        {
            return _value.Put(context.Key, existing, expiryMs, context.Change(KeyEvent.Restore));
        }
        catch (MemoryExhaustedException)
        {
            Abandon();
            throw;
        }
    }

    /// <summary>Gives up what there is of the value; the lease is held.</summary>
    public void Abandon()
    {
        if (_hasBegun)
        {
            _hasBegun = false;
            _value.Abandon();
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_hasBegun)
        {
            _shard.Lease.Queue(new Abandonment(this)); // It disposes of the rest.
            return;
        }

        _value.Free();
        _input.Dispose();
    }

    /// <summary>Computes the checksum, or a part of it.</summary>
    /// <returns>Whether it was computed and is right.</returns>
    private bool TrySum(ReadOnlySpan<byte> payload, bool mayStop)
    {
        if (payload.Length < DumpFooter.Length)
        {
            _isSummed = true;
            return false;
        }

        if (_worker.Server.SkipsChecksums)
        {
            _isSummed = true;
            return DumpFooter.IsKnown(payload);
        }

        var end = payload.Length - sizeof(ulong);
        var piece = mayStop ? Math.Min(ServerLimits.RestoreSumBytes, end - _summed) : end - _summed;
        _crc.Add(payload.Slice(_summed, piece));
        _summed += piece;
        _isSummed = _summed == end;
        return _isSummed && DumpFooter.IsRight(payload, _crc);
    }

    /// <returns>False for a collection without elements.</returns>
    private bool Read(CommandContext context, ReadOnlySpan<byte> payload, bool mayStop, out bool isWhole)
    {
        // The command's bytes may lie elsewhere since the last step, but do not move within one.
        var start = (byte*)Unsafe.AsPointer(ref MemoryMarshal.GetReference(payload));
        if (_hasBegun && _value.IsLost)
        {
            Abandon();
        }

        if (!_hasBegun)
        {
            _input.Reset(start, payload.Length - DumpFooter.Length);
            _value.Begin(_input.ReadByte(), _input, _shard, PackingLimits.Of(context.Server.Configuration.Current));
            _hasBegun = true;
        }

        _input.Move(start);
        isWhole = _value.Step(mayStop ? ServerLimits.ValueStepEffort : int.MaxValue);
        return !isWhole || !_value.IsEmpty;
    }

    /// <summary>Gives the value up as soon as the lease is free.</summary>
    private sealed class Abandonment(RestorePass pass) : ShardWork
    {
        /// <inheritdoc/>
        public override Worker Owner => pass._worker.Worker;

        /// <inheritdoc/>
        public override void Execute() => pass.Abandon();

        /// <inheritdoc/>
        public override void Run(Worker worker) => pass.Dispose();
    }
}
