using System.Runtime.InteropServices;

namespace Strata.Server.Clients.Tracking;

/// <summary>What was remembered of a key, taken out of <see cref="TrackedKeys"/>.</summary>
internal readonly unsafe ref struct TrackedKey
{
    private readonly TrackedKeys.Entry _entry;

    internal TrackedKey(in TrackedKeys.Entry entry)
    {
        _entry = entry;
    }

    /// <summary>Clients that have read it.</summary>
    public int Count => _entry.Count;

    /// <summary>The number of one of them.</summary>
    public long this[int index] => _entry.Capacity == 0 ? _entry.Client : _entry.List[index];

    /// <summary>Frees its memory.</summary>
    public void Dispose()
    {
        NativeMemory.Free(_entry.Name);
        NativeMemory.Free(_entry.List);
    }
}
