using Strata.Storage.Tiering;

namespace Strata.Server.Persistence;

/// <summary>Whose turn it is at the shards of each group while data is loaded and all leases are held: that of who
/// loads keys, gives something up for them, or makes a step of what lets memory go; one at a time, and none across a
/// wait. Any thread.</summary>
internal sealed class LoadTurns : ILongHold
{
    private readonly int[] _isTaken;

    // Groups that were ended, from the first on; of who ends them.
    private int _closed;

    /// <summary>Nobody's turn yet.</summary>
    /// <param name="groups">Groups of shards; shard n is in group n modulo that.</param>
    public LoadTurns(int groups) => _isTaken = new int[groups];

    /// <summary>Takes the turn at a group.</summary>
    public bool TryTake(int group) => Interlocked.Exchange(ref _isTaken[group], 1) == 0;

    /// <summary>Gives it back.</summary>
    public void GiveBack(int group) => Volatile.Write(ref _isTaken[group], 0);

    /// <summary>Ends all turns, before the leases are given back.</summary>
    /// <returns>False while somebody has one; what was ended stays so, and it is to be tried again.</returns>
    public bool TryClose()
    {
        while (_closed < _isTaken.Length)
        {
            if (!TryTake(_closed))
            {
                return false;
            }

            _closed++;
        }

        return true;
    }

    /// <inheritdoc/>
    public bool TryUse(TieredStore store) => TryTake(store.Number % _isTaken.Length);

    /// <inheritdoc/>
    public void EndUse(TieredStore store) => GiveBack(store.Number % _isTaken.Length);
}
