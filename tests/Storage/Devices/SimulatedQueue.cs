using Strata.Storage.Devices;
using Strata.Storage.Interop;

namespace Strata.Tests.Storage.Devices;

/// <summary>A queue of a <see cref="SimulatedDevice"/>; what happens to its requests is decided there.</summary>
internal sealed unsafe class SimulatedQueue : IDeviceQueue
{
    private readonly SimulatedDevice _device;
    private readonly List<SimulatedRequest> _prepared = [];
    private readonly int _signal;
    private bool _isDisposed;

    public SimulatedQueue(SimulatedDevice device)
    {
        _device = device;
        _signal = Libc.EventFd(0, Libc.EventFdCloexec | Libc.EventFdNonBlock);
        if (_signal < 0)
        {
            throw new DeviceException("no file descriptor for a simulated queue");
        }
    }

    /// <summary>Requests submitted and not ended, oldest first; the device's to change.</summary>
    public List<SimulatedRequest> Submitted { get; } = [];

    /// <summary>Whether the device was disposed or crashed: requests end with ECANCELED, memory is not touched.
    /// </summary>
    public bool IsDead { get; set; }

    public int Depth => SimulatedDevice.QueueDepth;

    public int InFlight => _prepared.Count + Submitted.Count;

    public int CompletionDescriptor => _signal;

    public int Register(byte* memory, long bytes) => 0;

    public bool TryRead(long offset, byte* buffer, int bytes, ulong token)
        => TryPrepare(new SimulatedRequest(offset, buffer, bytes, token, isWrite: false));

    public bool TryWrite(long offset, byte* buffer, int bytes, ulong token)
        => TryPrepare(new SimulatedRequest(offset, buffer, bytes, token, isWrite: true));

    public void Submit()
    {
        if (_prepared.Count > 0)
        {
            _device.Submit(this, _prepared);
            _prepared.Clear();
        }
    }

    public int Reap(Span<DeviceCompletion> completions, int least = 0) => _device.Reap(this, completions, least);

    /// <remarks>Time passes by turns alone, so a loop that waits for a delayed request is woken at once to take the
    /// next turn.</remarks>
    public bool TryArm()
    {
        if (_device.HasFinished(this))
        {
            return false;
        }

        if (Submitted.Count > 0)
        {
            Signal();
        }

        return true;
    }

    /// <summary>Wakes whoever waits for the completion descriptor.</summary>
    public void Signal()
    {
        var one = 1UL;
        _ = Libc.Write(_signal, &one, sizeof(ulong)); // EAGAIN: the counter is full, so it is readable.
    }

    public void Dispose()
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            _device.Forget(this);
            _ = Libc.Close(_signal);
        }
    }

    private bool TryPrepare(SimulatedRequest request)
    {
        if (InFlight == Depth)
        {
            return false;
        }

        _prepared.Add(request);
        return true;
    }
}
