namespace Strata.Storage.Interests;

/// <summary>Counts the changes by which all keys count as changed, of whoever watches any: where very many are watched
/// it is not looked which of them a change of whole databases concerns. Any thread.</summary>
public sealed class WatchEpoch
{
    private long _number;

    /// <summary>How many such changes there were.</summary>
    public long Number => Volatile.Read(ref _number);

    /// <summary>There was another one.</summary>
    internal void Advance() => Interlocked.Increment(ref _number);
}
