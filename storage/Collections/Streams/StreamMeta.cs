using System.Runtime.InteropServices;

namespace Strata.Storage.Collections.Streams;

/// <summary>What a stream knows beside its entries, in whatever form it is.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 8)]
internal struct StreamMeta
{
    /// <summary>The highest id an entry has had, or that was set: the next one is above.</summary>
    public StreamId LastId;

    /// <summary>The first entry's id; 0 where there are none.</summary>
    public StreamId FirstId;

    /// <summary>The highest id that was deleted one by one.</summary>
    public StreamId MaxDeletedId;

    /// <summary>Entries that were ever added.</summary>
    public long EntriesAdded;
}
