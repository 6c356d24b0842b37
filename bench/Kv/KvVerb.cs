namespace Strata.Bench.Kv;

/// <summary>What an operation does with its key.</summary>
internal enum KvVerb : byte
{
    /// <summary>Copies the value out.</summary>
    Read,

    /// <summary>Writes a new value, whatever was there.</summary>
    Upsert,

    /// <summary>Writes a value that follows from the one there (read-modify-write).</summary>
    Rmw,

    /// <summary>Takes the key away.</summary>
    Delete,
}
