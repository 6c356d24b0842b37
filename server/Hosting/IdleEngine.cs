namespace Strata.Server.Hosting;

/// <summary>Holds the engine's place in the host and serves nothing.</summary>
public sealed class IdleEngine : IServerEngine
{
    /// <inheritdoc/>
    public void Start()
    {
    }

    /// <inheritdoc/>
    public void Stop(TimeSpan timeout)
    {
    }
}
