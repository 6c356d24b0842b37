namespace Strata.Server.Journal;

/// <summary>A place in an <see cref="EffectQueue"/> to which it can be taken back.</summary>
internal unsafe struct EffectMark
{
    /// <summary>The last chunk; null where there was none.</summary>
    public EffectChunk* Chunk;

    /// <summary>Bytes written in it.</summary>
    public int Position;

    /// <summary>Bytes written in all.</summary>
    public long Written;

    /// <summary>The batch that was begun; null for none.</summary>
    public BatchHeader* Batch;

    /// <summary>How many effects it had.</summary>
    public int BatchEffects;
}
