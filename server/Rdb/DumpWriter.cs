using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Server.Rdb;

/// <summary>Writes payloads of DUMP on one worker: a value and what ends it.</summary>
internal sealed class DumpWriter : IDisposable
{
    private readonly RdbValueWriter _values;
    private readonly RdbOutput _output;

    /// <summary>A writer without memory.</summary>
    /// <param name="budget">What is charged.</param>
    public DumpWriter(MemoryBudget budget)
    {
        _values = new RdbValueWriter(budget);
        _output = new RdbOutput(budget);
    }

    /// <summary>Writes a value whole.</summary>
    /// <param name="record">Its record.</param>
    /// <param name="compresses">Whether strings may be packed.</param>
    /// <returns>The payload; good until <see cref="Free"/>.</returns>
    /// <exception cref="MemoryExhaustedException">There is no memory for it, or it would be 2 GiB or more.</exception>
    public ReadOnlySpan<byte> Write(in Record record, bool compresses)
    {
        _output.Clear();
        _values.Begin(record, _output, compresses);
        _ = _values.Step(record, _output, int.MaxValue);
        var crc = default(Crc64);
        crc.Add(_output.Written);
        _output.Write(DumpFooter.Make(RdbValueWriter.VersionOf(record), crc));
        return _output.Written;
    }

    /// <summary>Gives the memory back.</summary>
    public void Free()
    {
        _values.Free();
        _output.Free();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _values.Dispose();
        _output.Dispose();
    }
}
