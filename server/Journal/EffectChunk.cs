using System.Runtime.InteropServices;
using Strata.Storage.Memory;

namespace Strata.Server.Journal;

/// <summary>Head of a stretch of memory of an <see cref="EffectQueue"/>; its bytes follow.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct EffectChunk
{
    /// <summary>The one behind it.</summary>
    public EffectChunk* Next;

    /// <summary>The memory that begins with this head.</summary>
    public NativeBlock Block;

    /// <summary>Bytes there are room for.</summary>
    public int Capacity;

    /// <summary>Bytes written, once there is one behind it.</summary>
    public int Used;

    /// <summary>Whether nothing is added that was not committed with what it has.</summary>
    public bool HasEnded;

    /// <summary>The first byte.</summary>
    public readonly byte* Bytes
    {
        get
        {
            fixed (EffectChunk* head = &this)
            {
                return (byte*)(head + 1);
            }
        }
    }
}
