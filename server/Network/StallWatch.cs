namespace Strata.Server.Network;

/// <summary>Watches whether a client takes anything of what waits to be sent to it: what its pipe takes, or, of a
/// socket, what arrives from there. A slow client is seen to read at each look; one that has stopped is not.</summary>
internal struct StallWatch
{
    private bool _hasSent;
    private long _unarrivedBytes;
    private long _sinceMs;

    /// <summary>The pipe has taken something, or holds nothing yet of what is about to be given to it.</summary>
    public void OnSent() => _hasSent = true;

    /// <summary>Looks at what is left, now and then.</summary>
    /// <param name="unarrivedBytes">Bytes that the pipe has taken and that have not arrived.</param>
    /// <param name="nowMs">The time.</param>
    /// <returns>For how many milliseconds the client has taken nothing, as far as was seen.</returns>
    public long Look(long unarrivedBytes, long nowMs)
    {
        if (_hasSent || unarrivedBytes != _unarrivedBytes || _sinceMs == 0)
        {
            _hasSent = false;
            _unarrivedBytes = unarrivedBytes;
            _sinceMs = nowMs;
        }

        return nowMs - _sinceMs;
    }
}
