using Strata.Storage.Devices;

namespace Strata.Tests.Storage.Devices;

/// <summary>A request that remembers how it ended, and then does what the test asks for.</summary>
internal sealed class TestRequest(Action<int>? then = null) : DeviceRequest
{
    /// <summary>The result of the last end.</summary>
    public int Result { get; private set; }

    /// <summary>How often it ended.</summary>
    public int Ends { get; private set; }

    protected internal override void OnCompleted(int result)
    {
        Result = result;
        Ends++;
        then?.Invoke(result);
    }
}
