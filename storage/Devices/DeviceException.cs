namespace Strata.Storage.Devices;

/// <summary>A device cannot do its work at all: not an error of one request, which is that request's result.
/// </summary>
public sealed class DeviceException : Exception
{
    /// <summary>A device that cannot work, with the cause and the remedy.</summary>
    public DeviceException(string message)
        : base(message)
    {
    }
}
