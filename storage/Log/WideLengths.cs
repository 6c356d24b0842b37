using System.Runtime.InteropServices;

namespace Strata.Storage.Log;

/// <summary>What stands before the key of a wide record (<see cref="RecordHeader"/>).</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal struct WideLengths
{
    /// <summary>In a copy: the value is not there.</summary>
    public const uint WithoutValueBit = 1U << 30;

    /// <summary>Bytes of the value, and <see cref="WithoutValueBit"/>.</summary>
    public uint ValueLength;

    /// <summary>Bytes of the key.</summary>
    public int KeyLength;

    private readonly uint _sizeUnits;

    public WideLengths(long sizeBytes, int valueLength, int keyLength)
    {
        _sizeUnits = (uint)(sizeBytes >> RecordHeader.AlignmentBits);
        ValueLength = (uint)valueLength;
        KeyLength = keyLength;
    }

    /// <summary>Bytes of the whole record, slack included.</summary>
    public readonly long SizeBytes => (long)_sizeUnits << RecordHeader.AlignmentBits;
}
