using Strata.Server.Rdb;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Server.Persistence;

/// <summary>Writes keys as entries of an RDB file.</summary>
internal sealed class RdbEntries(MemoryBudget budget, bool compresses, UsageTold usage) : IEntryWriter
{
    private readonly RdbValueWriter _values = new(budget);

    /// <inheritdoc/>
    /// <remarks>An RDB file is read as a whole.</remarks>
    public bool StandsByItself => false;

    /// <inheritdoc/>
    public void Begin(in Record record, RdbOutput output)
        => _values.BeginEntry(record, output, compresses, usage.Of(record));

    /// <inheritdoc/>
    public bool Step(in Record record, RdbOutput output, int effort) => _values.Step(record, output, effort);

    /// <inheritdoc/>
    public void Dispose() => _values.Dispose();
}
