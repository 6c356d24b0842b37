using NUnit.Framework;
using Strata.Storage.Devices;

namespace Strata.Tests.Storage.Devices;

/// <summary>Runs single requests through a device and waits for them, on the calling thread.</summary>
internal static unsafe class DeviceDriver
{
    public const int ThrottleLimit = 120;

    /// <summary>A channel whose requests must not throw.</summary>
    public static DeviceChannel OpenChannel(IDevice device, int throttleLimit = ThrottleLimit)
        => new(device, throttleLimit, fault => throw new AssertionException("a request threw", fault));

    /// <summary>Writes and waits.</summary>
    /// <returns>The request's result.</returns>
    public static int Write(this DeviceChannel channel, long offset, AlignedBuffer buffer)
    {
        var request = new TestRequest();
        channel.Write(request, offset, buffer.Pointer, buffer.Span.Length);
        channel.Finish();
        return request.Result;
    }

    /// <inheritdoc cref="Write"/>
    public static int Read(this DeviceChannel channel, long offset, AlignedBuffer buffer)
    {
        var request = new TestRequest();
        channel.Read(request, offset, buffer.Pointer, buffer.Span.Length);
        channel.Finish();
        return request.Result;
    }

    /// <summary>Submits and completes until nothing is under way.</summary>
    public static void Finish(this DeviceChannel channel)
    {
        channel.Submit();
        while (!channel.IsIdle)
        {
            channel.Complete(least: 1);
        }
    }
}
