namespace Strata.Tests.Storage.Devices;

/// <summary>A request to a <see cref="SimulatedDevice"/>.</summary>
internal sealed unsafe class SimulatedRequest(long offset, byte* buffer, int bytes, ulong token, bool isWrite)
{
    public long Offset => offset;

    public int Bytes => bytes;

    public ulong Token => token;

    public bool IsWrite => isWrite;

    /// <summary>The caller's memory.</summary>
    public Span<byte> Data => new(buffer, bytes);

    /// <summary>Whether offset, length and memory are whole sectors.</summary>
    public bool IsAligned => offset >= 0 && bytes > 0
        && ((offset | (uint)bytes | (long)buffer) & (SimulatedDevice.Sector - 1)) == 0;

    /// <summary>What was to be written when it was submitted; a device may take a sector then or at any time until
    /// the end.</summary>
    public byte[] Snapshot { get; set; } = [];

    /// <summary>The segment it goes to, when that was removed after the submit.</summary>
    public SimulatedSegment? RemovedSegment { get; set; }

    /// <summary>The turn from which on it may end.</summary>
    public long DueTurn { get; set; }
}
