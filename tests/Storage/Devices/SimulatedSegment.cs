namespace Strata.Tests.Storage.Devices;

/// <summary>The bytes of one segment of a <see cref="SimulatedDevice"/>.</summary>
internal sealed class SimulatedSegment
{
    private byte[] _bytes = [];

    /// <summary>Bytes up to the end of what was written last in it.</summary>
    public int SizeBytes { get; private set; }

    public Span<byte> Bytes => _bytes.AsSpan(0, SizeBytes);

    /// <summary>Writes, with zeros in what is skipped.</summary>
    /// <returns>By how many bytes the segment grew.</returns>
    public int Write(int offset, ReadOnlySpan<byte> data)
    {
        var end = offset + data.Length;
        if (end > _bytes.Length)
        {
            Array.Resize(ref _bytes, Math.Max(end, (int)Math.Min(2L * _bytes.Length, Array.MaxLength)));
        }

        data.CopyTo(_bytes.AsSpan(offset));
        var growth = Math.Max(0, end - SizeBytes);
        SizeBytes += growth;
        return growth;
    }
}
