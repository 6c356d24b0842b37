namespace Strata.Bench.Kv;

/// <summary>A key's version, and whether it is there: in one word, so that both are read at once.</summary>
internal readonly record struct KvState(long Word)
{
    /// <summary>How often the key was written.</summary>
    public long Version => Word >> 1;

    public bool IsPresent => (Word & 1) != 0;

    /// <summary>After another write.</summary>
    public KvState Written => new(((Version + 1) << 1) | 1);

    /// <summary>After the key was deleted: versions go on from where they were.</summary>
    public KvState Deleted => new(Version << 1);
}
