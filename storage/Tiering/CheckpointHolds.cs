using System.Collections.Concurrent;

namespace Strata.Storage.Tiering;

/// <summary>
/// Which segments stay on the device because a checkpoint names them. Every base of the journal has a number, also one
/// that names none; from its moment on the segments are held that it names, and those of the bases before it until
/// it is known to take their place. Shards follow by and by. Any thread.
/// </summary>
public sealed class CheckpointHolds
{
    private readonly ConcurrentDictionary<long, bool> _named = new();
    private readonly ConcurrentDictionary<long, bool> _givenUp = new();
    private long _begun;
    private long _listed;
    private volatile bool _keepsFiles;

    /// <summary>Whether the journal's base may be a checkpoint, so that the files outlive the process.</summary>
    public bool KeepsFiles => _keepsFiles;

    /// <summary>A base is begun. All leases are held.</summary>
    /// <returns>Its number.</returns>
    public long Begin()
    {
        _named.Clear();
        return ++_begun;
    }

    /// <summary>The numbers on the device of the segments that the base begun last names by now.</summary>
    public long[] Named() => [.. _named.Keys];

    /// <summary>A checkpoint is about to be listed: it may be found from here on.</summary>
    public void OnListing() => _keepsFiles = true;

    /// <summary>A base has taken the place of those before it, for good.</summary>
    /// <param name="number">Its number.</param>
    /// <param name="isCheckpoint">Whether it names segments.</param>
    public void OnListed(long number, bool isCheckpoint)
    {
        _keepsFiles = isCheckpoint;
        Volatile.Write(ref _listed, number);
        foreach (var other in _givenUp.Keys)
        {
            if (other < number)
            {
                _ = _givenUp.TryRemove(other, out _);
            }
        }
    }

    /// <summary>A base has come to nothing, for certain.</summary>
    public void OnGivenUp(long number) => _givenUp[number] = true;

    /// <summary>Whether nothing needs to be held any more for a base.</summary>
    internal bool IsOver(long number) => number < Volatile.Read(ref _listed) || _givenUp.ContainsKey(number);

    internal void Name(long deviceNumber) => _named[deviceNumber] = true;
}
