using Strata.Server.Options;

namespace Strata.Server.Network;

/// <summary>Watches one connection's unsent replies against client-output-buffer-limit: at once over the hard limit, or
/// over the soft one for as long as it says.</summary>
internal struct OutputLimitWatch
{
    private long _overSoftSinceMs;

    /// <summary>The limit of the client's class. Monitors, and who is told of changed keys, are normal clients, but are
    /// pushed to whether they read or not: where normal clients have no limit, that of subscribers holds.</summary>
    public static OutputBufferLimit LimitOf(ConnectedClient client, ServerOptions options)
    {
        var limit = options.NormalOutputBufferLimit;
        return client.IsSubscriber || ((client.IsMonitor || client.IsTold) && limit is { HardBytes: 0, SoftBytes: 0 })
            ? options.PubSubOutputBufferLimit
            : limit;
    }

    /// <summary>Whether the connection must be closed.</summary>
    public bool IsOver(in OutputBufferLimit limit, long unsentBytes, long nowMs)
    {
        if (limit.SoftBytes == 0 || unsentBytes <= limit.SoftBytes)
        {
            _overSoftSinceMs = 0;
        }
        else if (_overSoftSinceMs == 0)
        {
            _overSoftSinceMs = nowMs;
        }
        else if (nowMs - _overSoftSinceMs > limit.SoftSeconds * 1000L)
        {
            return true;
        }

        return limit.HardBytes > 0 && unsentBytes > limit.HardBytes;
    }
}
