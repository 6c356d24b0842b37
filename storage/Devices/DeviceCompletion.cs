namespace Strata.Storage.Devices;

/// <summary>The end of a device request.</summary>
/// <param name="Token">What the request was prepared with.</param>
/// <param name="Result">Bytes transferred, less than asked for only where the segment ends; or minus the errno, which
/// for a read of a segment that does not exist is ENOENT.</param>
public readonly record struct DeviceCompletion(ulong Token, int Result);
