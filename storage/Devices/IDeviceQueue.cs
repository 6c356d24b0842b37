namespace Strata.Storage.Devices;

/// <summary>One worker's way to a device. Not thread-safe; bound to the thread that opened it.</summary>
public unsafe interface IDeviceQueue : IDisposable
{
    /// <summary>Requests that can be in flight at a time.</summary>
    int Depth { get; }

    /// <summary>Becomes readable when a completion is waiting, so that an event loop can wait for it.</summary>
    int CompletionDescriptor { get; }

    /// <summary>Prepares a read of <paramref name="bytes"/> at <paramref name="offset"/> into <paramref
    /// name="buffer"/>, which must stay until the request completes.</summary>
    /// <returns>False when the queue is full: submit and reap first.</returns>
    bool TryRead(long offset, byte* buffer, int bytes, ulong token);

    /// <summary>Prepares a write, likewise.</summary>
    /// <returns>False when the queue is full: submit and reap first.</returns>
    bool TryWrite(long offset, byte* buffer, int bytes, ulong token);

    /// <summary>Starts all prepared requests, in one system call where the device has one.</summary>
    void Submit();

    /// <summary>Takes finished requests.</summary>
    /// <returns>How many were written to <paramref name="completions"/>.</returns>
    int Reap(Span<DeviceCompletion> completions);
}
