using System.Buffers.Binary;
using System.Text;

namespace Strata.Tests.Support;

/// <summary>What the loader reads of a shared library: a file of the Executable and Linkable Format, of 64 bits in
/// little-endian order (System V ABI, chapters 4 and 5).</summary>
internal sealed class ElfFile
{
    private const int HeaderBytes = 64;
    private const int SegmentBytes = 56;
    private const uint Executable = 1;
    private const uint Writable = 2;

    private readonly byte[] _bytes;
    private readonly List<Segment> _segments = [];
    private readonly Dictionary<ulong, ulong> _dynamic = [];

    /// <summary>Reads a file.</summary>
    /// <exception cref="InvalidDataException">It is none of this format.</exception>
    public ElfFile(string path)
    {
        _bytes = File.ReadAllBytes(path);
        if (_bytes.Length < HeaderBytes || !_bytes.AsSpan(0, 6).SequenceEqual("\x7f\x45\x4c\x46\x02\x01"u8))
        {
            throw new InvalidDataException($"{path} is no ELF file of 64 bits, little-endian");
        }

        var first = (int)UInt64(32);
        for (var i = 0; i < BinaryPrimitives.ReadUInt16LittleEndian(_bytes.AsSpan(56)); i++)
        {
            var at = first + (i * SegmentBytes);
            _segments.Add(new Segment(UInt32(at), UInt32(at + 4), UInt64(at + 8), UInt64(at + 16), UInt64(at + 32)));
        }

        var dynamic = _segments.Single(static segment => segment.Type == SegmentType.Dynamic);
        for (var at = (int)dynamic.Offset; UInt64(at) != 0; at += 2 * sizeof(ulong))
        {
            _dynamic.TryAdd(UInt64(at), UInt64(at + sizeof(ulong)));
        }
    }

    /// <summary>Whether what the loader has resolved is made read-only (PT_GNU_RELRO).</summary>
    public bool HasReadOnlyRelocations => _segments.Exists(static segment => segment.Type == SegmentType.GnuRelro);

    /// <summary>Whether the loader resolves everything at once (DT_BIND_NOW, or its flag in DT_FLAGS or DT_FLAGS_1),
    /// and nothing stays writable for later.</summary>
    public bool IsBoundAtOnce => _dynamic.ContainsKey(24)
        || (_dynamic.GetValueOrDefault(30UL) & 8) != 0
        || (_dynamic.GetValueOrDefault(0x6ffffffbUL) & 1) != 0;

    /// <summary>Whether the loader writes to code (DT_TEXTREL).</summary>
    public bool HasRelocationsInCode => _dynamic.ContainsKey(22);

    /// <summary>Whether the stack may be executed: also if nothing is said of it (PT_GNU_STACK).</summary>
    public bool WantsExecutableStack
        => !_segments.Exists(static segment => segment.Type == SegmentType.GnuStack)
        || _segments.Exists(
            static segment => segment.Type == SegmentType.GnuStack && (segment.Flags & Executable) != 0);

    /// <summary>Whether some memory is to be both written and executed.</summary>
    public bool HasWritableCode => _segments.Exists(static segment => segment.Type == SegmentType.Load
        && (segment.Flags & (Writable | Executable)) == (Writable | Executable));

    /// <summary>Whether a name is among those that the loader resolves.</summary>
    public bool Names(string symbol)
    {
        var strings = _dynamic[5]; // DT_STRTAB
        var segment = _segments.First(segment => segment.Type == SegmentType.Load
            && strings >= segment.Address && strings < segment.Address + segment.FileBytes);
        var table = _bytes.AsSpan((int)(strings - segment.Address + segment.Offset), (int)_dynamic[10]); // DT_STRSZ
        return table.IndexOf(Encoding.ASCII.GetBytes($"\0{symbol}\0")) >= 0;
    }

    private uint UInt32(int at) => BinaryPrimitives.ReadUInt32LittleEndian(_bytes.AsSpan(at));

    private ulong UInt64(int at) => BinaryPrimitives.ReadUInt64LittleEndian(_bytes.AsSpan(at));

    private static class SegmentType
    {
        public const uint Load = 1;
        public const uint Dynamic = 2;
        public const uint GnuStack = 0x6474e551;
        public const uint GnuRelro = 0x6474e552;
    }

    private readonly record struct Segment(uint Type, uint Flags, ulong Offset, ulong Address, ulong FileBytes);
}
