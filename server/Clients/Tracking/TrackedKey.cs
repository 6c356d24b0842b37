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

    /// <summary>A bit for each slot whose client has read it.</summary>
    public ulong Slots => _entry.Slots;

    /// <summary>The numbers of the clients that have read it and have no slot, until it is disposed of.</summary>
    public ReadOnlySpan<long> Listed => _entry.Clients;

    /// <summary>Frees its memory.</summary>
    public void Dispose()
    {
        NativeMemory.Free(_entry.Name);
        NativeMemory.Free(_entry.List);
    }
}
