using Strata.Storage.Devices;

namespace Strata.Bench.Device;

/// <summary>One of the requests that a thread keeps under way; it starts the next as it ends.</summary>
internal sealed unsafe class BlockRequest(DeviceThread thread, DeviceChannel channel, byte* block) : DeviceRequest
{
    public DeviceChannel Channel => channel;

    public byte* Block => block;

    /// <summary>When it was started, as a <see cref="System.Diagnostics.Stopwatch"/> timestamp.</summary>
    public long StartedAt { get; set; }

    public bool Writes { get; set; }

    protected internal override void OnCompleted(int result) => thread.OnEnded(this, result);
}
