using System.Runtime.InteropServices;

namespace Strata.Storage.Interop;

/// <summary>What of the kernel's <c>struct statx</c> is looked at, which is alike on all processors.</summary>
[StructLayout(LayoutKind.Explicit, Size = 256)]
internal struct FileStatus
{
    private const int TypeBits = 0xF000;

    public const int Pipe = 0x1000;
    public const int Folder = 0x4000;
    public const int File = 0x8000;
    public const int Socket = 0xC000;

    [FieldOffset(28)]
    private readonly ushort _mode;

    /// <summary>What it is.</summary>
    public readonly int Type => _mode & TypeBits;
}
