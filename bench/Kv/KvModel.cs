using System.Runtime.InteropServices;

namespace Strata.Bench.Kv;

/// <summary>
/// What every key should hold: whether it is there, and the version of its value. A key's entry changes under the lease
/// of its shard alone; who reads it between two equal looks at the lease's version sees what belongs to the shard as
/// it was then, so that every reply can be held against one exact state.
/// </summary>
internal sealed unsafe class KvModel : IDisposable
{
    private readonly long* _states;

    /// <summary>A model of keys none of which is there.</summary>
    public KvModel(long keys)
    {
        _states = (long*)NativeMemory.AllocZeroed((nuint)keys, sizeof(long));
    }

    public KvState this[long number]
    {
        get => new(Volatile.Read(ref _states[number]));
        set => Volatile.Write(ref _states[number], value.Word);
    }

    /// <inheritdoc/>
    public void Dispose() => NativeMemory.Free(_states);
}
