namespace Strata.Storage.Devices;

/// <summary>
/// A read or write under way through a <see cref="DeviceChannel"/>: made to be inherited, pooled and used again, so
/// that a request allocates nothing. It may stand in one channel at a time.
/// </summary>
public abstract unsafe class DeviceRequest
{
    /// <summary>The request behind this one in the channel's queue of those that wait for their turn.</summary>
    internal DeviceRequest? Next;

    internal long Offset;
    internal byte* Buffer;
    internal int Bytes;
    internal bool IsWrite;

    /// <summary>Whether <see cref="Buffer"/> is one that the channel lends, until <see cref="OnCompleted"/> returns.
    /// </summary>
    internal bool IsLent;

    /// <summary>Called on the channel's thread when the request has ended. It may start other requests, this one too.
    /// </summary>
    /// <param name="result">As <see cref="DeviceCompletion.Result"/>.</param>
    protected internal abstract void OnCompleted(int result);
}
