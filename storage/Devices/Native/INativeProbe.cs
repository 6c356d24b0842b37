namespace Strata.Storage.Devices.Native;

/// <summary>Finds out what runs on this machine.</summary>
internal interface INativeProbe
{
    /// <summary>Why the native library cannot be used, with the remedy; null when it can.</summary>
    string? LibraryProblem { get; }

    /// <summary>Opens and closes a queue.</summary>
    /// <returns>0, or the errno.</returns>
    int TryQueue(DeviceBackend backend, int depth);
}
