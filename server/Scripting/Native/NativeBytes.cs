using System.Runtime.InteropServices;

namespace Strata.Server.Scripting.Native;

/// <summary>strata_bytes: bytes of the library or of its caller.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct NativeBytes
{
    public byte* Data;
    public long Length;

    /// <summary>The bytes, as long as they stay where they are.</summary>
    public readonly ReadOnlySpan<byte> Span => new(Data, checked((int)Length));
}
