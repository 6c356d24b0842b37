using Strata.Storage.Index;
using Strata.Storage.Interests;

namespace Strata.Storage.Sharding;

/// <summary>What an exchange of two databases means to those who watch keys or wait for some: they go on with the key
/// of the same name that takes the place of theirs.</summary>
public static class DatabaseExchange
{
    /// <summary>Tells and moves all of them. All leases must be held.</summary>
    /// <param name="shards">All shards.</param>
    /// <param name="first">One database, by its physical number.</param>
    /// <param name="second">The other.</param>
    public static void Follow(ShardMap shards, byte first, byte second)
    {
        var watches = new List<KeyInterest>();
        var waits = new List<KeyInterest>();
        foreach (var shard in shards.All)
        {
            watches.AddRange(shard.Watches.Copy());
            waits.AddRange(shard.Waits.Copy());
        }

        foreach (var watch in watches)
        {
            var wasThere = MayBeThere(shards, watch);
            if (TryExchange(watch, first, second, out var key))
            {
                watch.MoveTo(key, shards.Of(key.Hash).Watches);
                if (wasThere || MayBeThere(shards, watch))
                {
                    ((WatchedKey)watch).Tell();
                }
            }
        }

        // Those moved one by one keep the order in which they came, and find out by themselves what is there now.
        foreach (var wait in waits)
        {
            if (TryExchange(wait, first, second, out var key))
            {
                wait.MoveTo(key, shards.Of(key.Hash).Waits);
                ((AwaitedKey)wait).Wake();
            }
        }
    }

    private static bool MayBeThere(ShardMap shards, KeyInterest interest)
        => shards.Of(interest.Key.Hash).Watches.MayBeThere(interest.Key);

    /// <summary>The key that takes the place of the one somebody is interested in, if it is of the two databases.
    /// </summary>
    private static bool TryExchange(KeyInterest interest, byte first, byte second, out Key key)
    {
        var database = interest.Key.Database;
        if (first == second || (database != first && database != second))
        {
            key = default;
            return false;
        }

        key = interest.KeyIn(database == first ? second : first);
        return true;
    }
}
