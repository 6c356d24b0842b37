namespace Strata.Tests.Storage.Devices;

/// <summary>The bytes of one segment of a <see cref="SimulatedDevice"/>.</summary>
internal sealed class SimulatedSegment
{
    private const int Sector = SimulatedDevice.Sector;

    // What the disk is still to get, in order.
    private readonly List<(int Offset, byte[] Bytes)> _unsynced = [];
    private byte[] _bytes = [];
    private byte[] _durable = [];

    /// <summary>Bytes up to the end of what was written last in it.</summary>
    public int SizeBytes { get; private set; }

    public Span<byte> Bytes => _bytes.AsSpan(0, SizeBytes);

    /// <summary>Another one with the same bytes.</summary>
    public SimulatedSegment Copy() => new() { _bytes = Bytes.ToArray(), SizeBytes = SizeBytes };

    /// <summary>Notes a write that the disk may forget before the next sync.</summary>
    public void NoteUnsynced(int offset, ReadOnlySpan<byte> data) => _unsynced.Add((offset, data.ToArray()));

    /// <summary>What was written is on the disk.</summary>
    public void Sync()
    {
        _unsynced.Clear();
        _durable = Bytes.ToArray();
    }

    /// <summary>Some of it has come to the disk, and what has not never will: the kernel takes it for written.
    /// </summary>
    /// <param name="chance">Draws a number below another.</param>
    public void FailSync(Func<int, int> chance)
    {
        var seen = Bytes.ToArray();
        CutPower(chance);
        _bytes = seen;
        SizeBytes = seen.Length;
    }

    /// <summary>The power goes: of each write since the last sync all may be there, or nothing, or some of its sectors.
    /// </summary>
    /// <param name="chance">Draws a number below another.</param>
    public void CutPower(Func<int, int> chance)
    {
        _bytes = _durable;
        SizeBytes = _durable.Length;
        foreach (var (offset, bytes) in _unsynced)
        {
            var fate = chance(3);
            for (var at = 0; at < bytes.Length; at += Sector)
            {
                if (fate == 0 || (fate == 1 && chance(2) == 0))
                {
                    _ = Write(offset + at, bytes.AsSpan(at, Math.Min(Sector, bytes.Length - at)));
                }
            }
        }

        Sync();
    }

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
