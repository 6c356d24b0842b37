namespace Strata.Tests.Server.Journal.Files;

/// <summary>What a file of the simulated disk holds: as programs see it, and as it lies on the disk.</summary>
internal sealed class SimulatedInode
{
    private const int SectorBytes = 512;

    // What the disk is still to get, in order.
    private readonly List<(long Offset, byte[]? Bytes)> _pending = [];

    public byte[] Seen { get; private set; } = [];

    public byte[] Durable { get; private set; } = [];

    public void Write(long offset, ReadOnlySpan<byte> bytes)
    {
        Seen = Written(Seen, offset, bytes);
        _pending.Add((offset, bytes.ToArray()));
    }

    public void Truncate(long length)
    {
        Seen = Seen.AsSpan(0, (int)length).ToArray();
        _pending.Add((length, null));
    }

    public void Sync()
    {
        foreach (var (offset, bytes) in _pending)
        {
            Apply(offset, bytes);
        }

        _pending.Clear();
    }

    /// <summary>Some of it has come to the disk, and what has not never will: the kernel takes it for written.
    /// </summary>
    public void FailSync(Random random)
    {
        foreach (var (offset, bytes) in _pending)
        {
            var fate = random.Next(3);
            if (fate == 0)
            {
                Apply(offset, bytes);
            }
            else if (fate == 1 && bytes is not null)
            {
                ApplyTorn(offset, bytes, random);
            }
        }

        _pending.Clear();
    }

    public void CutPower(Random random)
    {
        FailSync(random);
        Seen = Durable;
    }

    private static byte[] Written(byte[] content, long offset, ReadOnlySpan<byte> bytes)
    {
        var result = new byte[Math.Max(content.Length, offset + bytes.Length)];
        content.CopyTo(result, 0);
        bytes.CopyTo(result.AsSpan((int)offset));
        return result;
    }

    private void Apply(long offset, byte[]? bytes)
        => Durable = bytes is not null
            ? Written(Durable, offset, bytes)
            : Durable.AsSpan(0, (int)Math.Min(offset, Durable.Length)).ToArray();

    private void ApplyTorn(long offset, byte[] bytes, Random random)
    {
        for (var at = 0; at < bytes.Length;)
        {
            var length = Math.Min(bytes.Length - at, SectorBytes - (int)((offset + at) % SectorBytes));
            if (random.Next(2) == 0)
            {
                Apply(offset + at, bytes.AsSpan(at, length).ToArray());
            }

            at += length;
        }
    }
}
