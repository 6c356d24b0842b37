namespace Strata.Storage.Devices;

/// <summary>
/// One worker's way to a device, bound to the thread that opened it. Requests are prepared, go down together in one
/// <see cref="Submit"/>, and complete in any order through <see cref="Reap"/>. No member blocks, except Reap when it is
/// asked to; none throws for an I/O error.
/// </summary>
public unsafe interface IDeviceQueue : IDisposable
{
    /// <summary>Requests that can be prepared or in flight at a time.</summary>
    int Depth { get; }

    /// <summary>Requests prepared or in flight.</summary>
    int InFlight { get; }

    /// <summary>Becomes readable when a request completes after <see cref="TryArm"/>, so that an event loop can wait
    /// for it. To be watched edge-triggered: nobody need read it.</summary>
    int CompletionDescriptor { get; }

    /// <summary>Names memory that many requests will lie in, once and before the first request, so that the kernel can
    /// keep it at hand. It must stay until the queue is disposed.</summary>
    /// <returns>0, also where the device gains nothing by it, or the errno of a kernel that refused: requests work all
    /// the same, at more cost.</returns>
    int Register(byte* memory, long bytes);

    /// <summary>Prepares a read of <paramref name="bytes"/> at <paramref name="offset"/> into <paramref
    /// name="buffer"/>, which must stay until the request is reaped or the queue disposed.</summary>
    /// <returns>False when the queue is full: nothing was prepared.</returns>
    bool TryRead(long offset, byte* buffer, int bytes, ulong token);

    /// <summary>Prepares a write, likewise.</summary>
    /// <returns>False when the queue is full: nothing was prepared.</returns>
    bool TryWrite(long offset, byte* buffer, int bytes, ulong token);

    /// <summary>Starts all prepared requests, in one system call where the device has one. A request that the kernel
    /// refuses completes with the error.</summary>
    void Submit();

    /// <summary>Takes finished requests; waits until there are <paramref name="least"/>, or none is in flight.
    /// </summary>
    /// <returns>How many were written to <paramref name="completions"/>.</returns>
    int Reap(Span<DeviceCompletion> completions, int least = 0);

    /// <summary>Asks for <see cref="CompletionDescriptor"/> to tell of the next completion; for the moment before an
    /// event loop waits. Until then completions cost no notice.</summary>
    /// <returns>False when a request is finished already: reap first.</returns>
    bool TryArm();
}
