namespace Strata.Storage.Devices;

/// <summary>The end of a device request.</summary>
/// <param name="Token">What the request was prepared with.</param>
/// <param name="Result">Bytes transferred (0 at the end of the device), or minus the errno.</param>
public readonly record struct DeviceCompletion(ulong Token, int Result);
