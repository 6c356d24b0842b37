using Strata.Server.Rdb;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Server.Persistence;

/// <summary>Writes keys with their values in the form of a file, one after the other, each in as many steps as the
/// caller wants: between two of them it may take away what was written, and give the lease back, as long as the key is
/// not changed. Used under the lease of the key's shard.</summary>
internal interface IEntryWriter : IDisposable
{
    /// <summary>Whether what was written by now can be read without what follows.</summary>
    bool StandsByItself { get; }

    /// <summary>Begins with a key.</summary>
    /// <param name="record">The key's record.</param>
    /// <param name="output">Where it is written, behind what is there.</param>
    /// <exception cref="MemoryExhaustedException">The writer may be used for another key.</exception>
    void Begin(in Record record, RdbOutput output);

    /// <summary>Goes on.</summary>
    /// <param name="record">Its record as it is now.</param>
    /// <param name="output">Where it is written, behind what is there.</param>
    /// <param name="effort">About how many elements; long ones count for several.</param>
    /// <returns>Whether all of it is written.</returns>
    /// <exception cref="MemoryExhaustedException">What was written of the key is of no use.</exception>
    bool Step(in Record record, RdbOutput output, int effort);
}
