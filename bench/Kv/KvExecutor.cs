using Strata.Server.Execution;
using System.Runtime.InteropServices;
using Strata.Storage.Changes;
using Strata.Storage.Leases;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Records;
using Strata.Storage.Sharding;
using Strata.Storage.Strings;
using Strata.Storage.Tiering;

namespace Strata.Bench.Kv;

/// <summary>
/// Does operations on the shards as a worker of the server does: reads between two looks at the lease's version,
/// changes under the lease, nothing before all it needs is in memory. Belongs to one thread.
/// </summary>
internal sealed unsafe class KvExecutor : IDisposable
{
    private const int OptimisticAttempts = 2;

    private readonly KvTarget _target;
    private readonly MemoryGuard _guard;
    private readonly KvModel? _model;
    private readonly int _worker;
    private readonly int _valueBytes;
    private readonly bool _isShared;
    private readonly byte* _value;
    private long _written;

    // What the last look at a key found.
    private bool _isFound;
    private int _foundBytes;
    private int _takenBytes;
    private KvState _expected;

    public KvExecutor(KvOptions options, KvTarget target, int worker)
    {
        _target = target;
        _model = target.Model;
        _worker = worker;
        _valueBytes = options.ValueBytes;
        _isShared = options.Workers > 1;
        _guard = new MemoryGuard(target.Shards, worker);
        _value = (byte*)NativeMemory.Alloc((nuint)_valueBytes);
    }

    /// <summary>Where operations are counted.</summary>
    public KvCounts Counts { get; set; } = new();

    /// <summary>Wall clock at the start of the turn, milliseconds since 1970.</summary>
    public long NowMs { get; set; }

    private Span<byte> Value => new(_value, _takenBytes);

    /// <summary>Does an operation, or what can be done of it now.</summary>
    public KvAttempt Execute(KvOperation operation)
    {
        var shard = _target.Shards.Of(operation.Key.Hash);
        var set = operation.Set;
        set?.ForgetFailure();
        var attempt = operation.Verb == KvVerb.Read ? Read(operation, shard) : Change(operation, shard);
        if (attempt != KvAttempt.Reading)
        {
            return attempt;
        }

        return set!.TryStart(operation) ? KvAttempt.Reading : KvAttempt.Again;
    }

    /// <inheritdoc/>
    public void Dispose() => NativeMemory.Free(_value);

    private KvAttempt Read(KvOperation operation, Shard shard)
    {
        var misses = operation.Set?.Misses ?? 0;
        if (!_isShared)
        {
            Look(operation, shard);
            return EndLook(operation, misses);
        }

        if (TryLook(operation, shard))
        {
            return EndLook(operation, misses);
        }

        if (!TryAcquire(shard))
        {
            return KvAttempt.Again;
        }

        misses = operation.Set?.Misses ?? 0;
        Look(operation, shard);
        Release(shard);
        return EndLook(operation, misses);
    }

    /// <summary>Looks without the lease.</summary>
    /// <returns>False when the shard was being changed; nothing was asked for then.</returns>
    private bool TryLook(KvOperation operation, Shard shard)
    {
        var asked = operation.Set?.Count ?? 0;
        for (var i = 0; i < OptimisticAttempts; i++)
        {
            var version = shard.Lease.ReadVersion();
            if (!ShardLease.IsFree(version))
            {
                continue;
            }

            if (TryLookAtTorn(operation, shard) && shard.Lease.IsUnchanged(version))
            {
                return true;
            }

            operation.Set?.Rewind(asked);
        }

        return false;
    }

    private bool TryLookAtTorn(KvOperation operation, Shard shard)
    {
        try
        {
            Look(operation, shard);
            return true;
        }
        catch (Exception)
        {
            return false; // Torn data, or an error that will be met again, and reported, under the lease.
        }
    }

    private void Look(KvOperation operation, Shard shard)
    {
        _isFound = shard.Find(operation.Key, NowMs, operation.Set, out var record) == FindResult.Found;
        _foundBytes = 0;
        _takenBytes = 0;
        if (_isFound)
        {
            Take(record);
            shard.Touch(operation.Key, record);
        }

        _expected = _model?[operation.Number] ?? default;
    }

    private void Take(in Record record)
    {
        var value = record.Value;
        _foundBytes = value.Length;
        _takenBytes = Math.Min(_foundBytes, _valueBytes);
        value[.._takenBytes].CopyTo(Value);
    }

    private KvAttempt EndLook(KvOperation operation, long misses)
    {
        var set = operation.Set;
        if (set != null && set.Misses != misses)
        {
            return KvAttempt.Reading;
        }

        if (set is { Failure: not ColdReadFailure.None })
        {
            Counts.CountUnreadable(set);
            return KvAttempt.Done;
        }

        Counts.Missing += _isFound ? 0 : 1;
        Counts.Count(operation.Verb);
        Check(operation);
        return KvAttempt.Done;
    }

    private KvAttempt Change(KvOperation operation, Shard shard)
    {
        if (operation.Verb != KvVerb.Delete && TryRefuse(out var refused))
        {
            return refused;
        }

        if (!TryAcquire(shard))
        {
            return KvAttempt.Again;
        }

        try
        {
            return ChangeLeased(operation, shard);
        }
        finally
        {
            Release(shard);
        }
    }

    private KvAttempt ChangeLeased(KvOperation operation, Shard shard)
    {
        var set = operation.Set;
        var misses = set?.Misses ?? 0;
        _isFound = shard.Find(operation.Key, NowMs, operation.Set, out var record) == FindResult.Found;
        _foundBytes = 0;
        _takenBytes = 0;
        if (set != null && set.Misses != misses)
        {
            return KvAttempt.Reading;
        }

        if (set is { Failure: not ColdReadFailure.None })
        {
            Counts.CountUnreadable(set);
            return KvAttempt.Done;
        }

        if (_isFound && (_model != null || operation.Verb == KvVerb.Rmw))
        {
            Take(record);
        }

        _expected = _model?[operation.Number] ?? default;
        if (operation.Verb == KvVerb.Delete)
        {
            Delete(operation, shard, record);
        }
        else if (!TryPut(operation, shard, record))
        {
            Counts.OutOfMemory++;
            return KvAttempt.Done;
        }

        Counts.Missing += _isFound ? 0 : 1;
        Counts.Count(operation.Verb);
        Check(operation);
        return KvAttempt.Done;
    }

    private void Delete(KvOperation operation, Shard shard, in Record record)
    {
        if (!_isFound)
        {
            return;
        }

        shard.Remove(operation.Key, record, new Change(KeyEvent.Del, author: null));
        if (_model != null)
        {
            _model[operation.Number] = _expected.Deleted;
        }
    }

    private bool TryPut(KvOperation operation, Shard shard, in Record existing)
    {
        var next = _model != null ? _expected.Written.Version
            : operation.Verb == KvVerb.Rmw && _takenBytes >= KvValue.MinBytes ? KvValue.VersionOf(Value) + 1
            : ++_written;
        try
        {
            var value = new StringEditor(shard, operation.Key, existing);
            value.Create(_valueBytes, expiryMs: -1, RecordFlags.None);
            KvValue.Fill(value.Value, operation.Number, next);
            value.End(new Change(KeyEvent.Set, author: null));
        }
        catch (MemoryExhaustedException)
        {
            return false;
        }

        if (_model != null)
        {
            _model[operation.Number] = _expected.Written;
        }

        return true;
    }

    /// <summary>Makes room for what needs some, before its lease is taken.</summary>
    /// <returns>Whether it must wait, or was refused and counted.</returns>
    private bool TryRefuse(out KvAttempt refused)
    {
        refused = KvAttempt.Done;
        if (_target.Tier is { Failure: not 0 and var errno })
        {
            Counts.CountUnwritable(errno);
            return true;
        }

        if (_target.Budget.HasRoom)
        {
            return false;
        }

        var room = _guard.MakeRoom(NowMs);
        Counts.OutOfMemory += room == Room.None ? 1 : 0;
        refused = room == Room.OnItsWay ? KvAttempt.Room : KvAttempt.Done;
        return room != Room.Made;
    }

    private void Check(KvOperation operation)
    {
        if (_model == null)
        {
            return;
        }

        var number = operation.Number;
        if (_isFound != _expected.IsPresent)
        {
            Counts.CountMismatch(FormattableString.Invariant(
                $"{operation.Verb} of key {number}: found {_isFound}, expected {_expected.IsPresent}"));
        }
        else if (_isFound && (_foundBytes != _valueBytes || !KvValue.IsRight(Value, number, _expected.Version)))
        {
            Counts.CountMismatch(FormattableString.Invariant(
                $"{operation.Verb} of key {number}: the value is not that of version {_expected.Version}"));
        }
    }

    private static bool TryAcquire(Shard shard) => shard.Lease.TryAcquire() || shard.Lease.TryAcquireSpinning();

    private void Release(Shard shard)
    {
        shard.Settle(_worker, NowMs);
        shard.Lease.Release();
    }
}
