using System.Runtime.InteropServices;

namespace Strata.Server.Journal;

/// <summary>What precedes the effects of one hold of a shard's lease.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct BatchHeader
{
    /// <summary>Its place among all batches of all shards: they follow one another without a gap.</summary>
    public long Sequence;

    /// <summary>How many effects follow.</summary>
    public int Effects;
}
