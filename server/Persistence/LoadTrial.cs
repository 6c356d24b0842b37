using Strata.Server.Options;
using Strata.Server.Rdb;
using Strata.Server.Runtime;
using Strata.Server.Scripting.Functions;
using Strata.Storage;
using Strata.Storage.Collections;
using Strata.Storage.Memory;
using Strata.Storage.Records;
using Strata.Storage.Runtime;
using Strata.Storage.Sharding;

namespace Strata.Server.Persistence;

/// <summary>
/// Loads what an RDB file holds as <see cref="RdbLoader"/> does, a value at a time, and keeps nothing of it but the
/// libraries of functions: what a load would refuse is refused here by the same readers. A file without a checksum is
/// known to be whole by nothing else.
/// </summary>
internal sealed unsafe class LoadTrial : IDisposable
{
    private const int StepEffort = 4096;

    private readonly Quiescence _quiescence = new(workers: 1);
    private readonly ShardMap _shards;
    private readonly CollectionLimits _limits = PackingLimits.Of(ServerOptions.Defaults);
    private readonly RdbInput _input = new(null, 0);
    private readonly RdbValueReader _value;
    private readonly FunctionEngine _functions;
    private readonly TimeProvider _clock = Platform.Machine.Clock;

    /// <summary>One that has loaded nothing yet.</summary>
    /// <param name="budget">What is charged for what is at hand.</param>
    /// <exception cref="MemoryExhaustedException">There is no memory.</exception>
    public LoadTrial(MemoryBudget budget)
    {
        _shards = new ShardMap(new ShardSettings(1, Limits.MaxPageBits, IsShared: false), budget, _quiescence);
        _value = new RdbValueReader(budget);
        _functions = new FunctionEngine(NewLoading(), new FunctionCatalogue(budget), budget);
    }

    /// <summary>Loads the value of the key that was read.</summary>
    /// <returns>Whether it has a value; an empty collection is none.</returns>
    /// <exception cref="RdbException">A load would refuse it.</exception>
    /// <exception cref="MemoryExhaustedException">There is no memory for it.</exception>
    public bool Load(RdbFileReader reader)
    {
        var offset = reader.Offset;
        var type = reader.ValueType;
        if (!reader.TryPassValue(ServerLimits.LongestHandedOverBytes, out var bytes))
        {
            reader.BeginValue(_shards[0], _limits);
            return End(reader.Value);
        }

        fixed (byte* first = bytes)
        {
            _input.Reset(first, bytes.Length, offset);
            _value.Begin(type, _input, _shards[0], _limits);
            return End(_value);
        }
    }

    /// <summary>Loads a library of functions.</summary>
    /// <returns>What is wrong with it, or null.</returns>
    /// <exception cref="MemoryExhaustedException">There is no memory for it.</exception>
    public string? LoadLibrary(ReadOnlySpan<byte> code)
        => _functions.LoadSaved(code, replaces: false, NewLoading());

    /// <inheritdoc/>
    public void Dispose()
    {
        _functions.Dispose();
        _value.Free();
        _input.Dispose();
        _shards.Dispose();
        _quiescence.Dispose();
    }

    /// <summary>Reads a value to its end, and gives it up.</summary>
    private bool End(RdbValueReader value)
    {
        try
        {
            while (!value.Step(StepEffort))
            {
                // Each goes on.
            }

            return !value.IsEmpty;
        }
        finally
        {
            value.Abandon();
            while (_shards[0].TryFree(worker: 0))
            {
                // The memory is for the next value.
            }
        }
    }

    private LibraryLoading NewLoading() => new(host: null, _clock, ServerLimits.LibraryRestoreTimeoutMs);
}
