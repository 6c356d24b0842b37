using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Workers;

namespace Strata.Storage.Sharding;

/// <summary>An interest in a key's getting a value of a type. Of those who wait for the same, the one who came first is
/// woken, and keeps its place until it leaves; then it is the next one's turn.</summary>
public sealed class AwaitedKey : KeyInterest
{
    private readonly IKeyWaiter _waiter;

    /// <summary>A key that <paramref name="waiter"/> waits for.</summary>
    public AwaitedKey(in Key key, IKeyWaiter waiter, Worker owner)
        : base(key, owner)
    {
        _waiter = waiter;
    }

    /// <summary>Who came first of those who wait for a type of value at a key; null when nobody does. The lease must be
    /// held.</summary>
    public static IKeyWaiter? FirstOf(KeyInterests waits, in Key key, RecordType type)
    {
        for (var wait = waits.OldestIn(key); wait != null; wait = KeyInterests.NextIn(key, wait))
        {
            if (wait is AwaitedKey { _waiter: var waiter } && waiter.Type == type)
            {
                return waiter;
            }
        }

        return null;
    }

    /// <summary>Wakes who came first.</summary>
    public static void WakeFirst(KeyInterests waits, in Key key, RecordType type)
        => FirstOf(waits, key, type)?.Wake();

    /// <summary>Wakes the waiter.</summary>
    internal void Wake() => _waiter.Wake();

    /// <inheritdoc/>
    protected override KeyInterests InterestsOf(Shard shard) => shard.Interests.Waits;

    /// <inheritdoc/>
    protected override void OnLeft(Shard shard) => WakeFirst(shard.Interests.Waits, Key, _waiter.Type);
}
