using System.Text;
using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Sharding;

namespace Strata.Tests.Simulation;

/// <summary>Hears of what a shard does to keys by itself: notes in the history what it evicts, so that the check knows,
/// and sees that nothing expires before its time or is evicted against the policy.</summary>
internal sealed class ChangeWitness(SimulatedWorld world, Shard shard) : IChangeListener
{
    private long _expiryMs;

    private bool HasExpiry => _expiryMs >= 0;

    /// <inheritdoc/>
    public void BeforeChange(in Key key, in Record record) => _expiryMs = record.IsNull ? -1 : record.ExpiryMs;

    /// <inheritdoc/>
    public void Changed(in Key key, in Record record, in Change change)
    {
        if (change.What == KeyEvent.Expired && (!HasExpiry || _expiryMs >= world.NowMs || change.Author != null))
        {
            world.Fail($"{Text(key)} expired, whose time is {_expiryMs}, at {world.NowMs}");
        }
        else if (change.What == KeyEvent.Evicted && !SimulatedTracker.IsOwnKey(Text(key)))
        {
            if (!MayEvict || change.Author != null)
            {
                world.Fail($"{Text(key)} was evicted under {shard.Policy}");
            }

            var mayBeEmpty = Text(key) == ScriptGenerator.ExpiringHash;
            world.NoteEviction(Text(key), key.Database, mayBeEmpty || (HasExpiry && _expiryMs < world.NowMs));
        }
    }

    /// <inheritdoc/>
    public void BeforeClear(int database)
    {
        // FLUSHALL is in the history.
    }

    /// <inheritdoc/>
    public void Cleared(int database, IChangeAuthor? author)
    {
        // FLUSHALL is in the history.
    }

    /// <inheritdoc/>
    public void BeforeExchange(byte first, byte second)
    {
        // SWAPDB is in the history.
    }

    /// <inheritdoc/>
    public void Exchanged(byte first, byte second, IChangeAuthor? author)
    {
    }

    private bool MayEvict => shard.Policy != EvictionPolicy.NoEviction
        && (HasExpiry || !shard.Policy.ToString().StartsWith("Volatile", StringComparison.Ordinal));

    private static unsafe string Text(in Key key) => Encoding.ASCII.GetString(key.Pointer, key.Length);
}
