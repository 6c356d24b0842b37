namespace Strata.Storage.Changes;

/// <summary>What can become of a key, by the name and class that Redis's keyspace notifications have for it. One object
/// an event: they are compared by reference.</summary>
public sealed class KeyEvent
{
    public static readonly KeyEvent Del = new(NotificationClasses.Generic, "del"u8);
    public static readonly KeyEvent Expire = new(NotificationClasses.Generic, "expire"u8);
    public static readonly KeyEvent Persist = new(NotificationClasses.Generic, "persist"u8);
    public static readonly KeyEvent RenameFrom = new(NotificationClasses.Generic, "rename_from"u8);
    public static readonly KeyEvent RenameTo = new(NotificationClasses.Generic, "rename_to"u8) { BringsEntries = true };
    public static readonly KeyEvent MoveFrom = new(NotificationClasses.Generic, "move_from"u8);
    public static readonly KeyEvent MoveTo = new(NotificationClasses.Generic, "move_to"u8) { BringsEntries = true };
    public static readonly KeyEvent Restore = new(NotificationClasses.Generic, "restore"u8) { BringsEntries = true };
    public static readonly KeyEvent CopyTo = new(NotificationClasses.Generic, "copy_to"u8) { BringsEntries = true };

    public static readonly KeyEvent Expired = new(NotificationClasses.Expired, "expired"u8);

    public static readonly KeyEvent Evicted = new(NotificationClasses.Evicted, "evicted"u8);

    public static readonly KeyEvent New = new(NotificationClasses.New, "new"u8);

    public static readonly KeyEvent Set = new(NotificationClasses.String, "set"u8);
    public static readonly KeyEvent SetRange = new(NotificationClasses.String, "setrange"u8);
    public static readonly KeyEvent SetBit = new(NotificationClasses.String, "setbit"u8);
    public static readonly KeyEvent PfAdd = new(NotificationClasses.String, "pfadd"u8);
    public static readonly KeyEvent Append = new(NotificationClasses.String, "append"u8);
    public static readonly KeyEvent IncrBy = new(NotificationClasses.String, "incrby"u8);
    public static readonly KeyEvent IncrByFloat = new(NotificationClasses.String, "incrbyfloat"u8);

    public static readonly KeyEvent LPush = new(NotificationClasses.List, "lpush"u8);
    public static readonly KeyEvent RPush = new(NotificationClasses.List, "rpush"u8);
    public static readonly KeyEvent LPop = new(NotificationClasses.List, "lpop"u8);
    public static readonly KeyEvent RPop = new(NotificationClasses.List, "rpop"u8);
    public static readonly KeyEvent LSet = new(NotificationClasses.List, "lset"u8);
    public static readonly KeyEvent LTrim = new(NotificationClasses.List, "ltrim"u8);
    public static readonly KeyEvent LRem = new(NotificationClasses.List, "lrem"u8);
    public static readonly KeyEvent LInsert = new(NotificationClasses.List, "linsert"u8);
    public static readonly KeyEvent SortStore = new(NotificationClasses.List, "sortstore"u8);

    public static readonly KeyEvent SAdd = new(NotificationClasses.Set, "sadd"u8);
    public static readonly KeyEvent SRem = new(NotificationClasses.Set, "srem"u8);
    public static readonly KeyEvent SPop = new(NotificationClasses.Set, "spop"u8);
    public static readonly KeyEvent SInterStore = new(NotificationClasses.Set, "sinterstore"u8);
    public static readonly KeyEvent SUnionStore = new(NotificationClasses.Set, "sunionstore"u8);
    public static readonly KeyEvent SDiffStore = new(NotificationClasses.Set, "sdiffstore"u8);

    public static readonly KeyEvent HSet = new(NotificationClasses.Hash, "hset"u8);
    public static readonly KeyEvent HIncrBy = new(NotificationClasses.Hash, "hincrby"u8);
    public static readonly KeyEvent HIncrByFloat = new(NotificationClasses.Hash, "hincrbyfloat"u8);
    public static readonly KeyEvent HDel = new(NotificationClasses.Hash, "hdel"u8);
    public static readonly KeyEvent HExpire = new(NotificationClasses.Hash, "hexpire"u8);
    public static readonly KeyEvent HPersist = new(NotificationClasses.Hash, "hpersist"u8);
    public static readonly KeyEvent HExpired = new(NotificationClasses.Hash, "hexpired"u8);

    public static readonly KeyEvent ZAdd = new(NotificationClasses.SortedSet, "zadd"u8);
    public static readonly KeyEvent ZIncr = new(NotificationClasses.SortedSet, "zincr"u8);
    public static readonly KeyEvent ZRem = new(NotificationClasses.SortedSet, "zrem"u8);
    public static readonly KeyEvent ZRemRangeByScore = new(NotificationClasses.SortedSet, "zremrangebyscore"u8);
    public static readonly KeyEvent ZRemRangeByRank = new(NotificationClasses.SortedSet, "zremrangebyrank"u8);
    public static readonly KeyEvent ZRemRangeByLex = new(NotificationClasses.SortedSet, "zremrangebylex"u8);
    public static readonly KeyEvent ZPopMin = new(NotificationClasses.SortedSet, "zpopmin"u8);
    public static readonly KeyEvent ZPopMax = new(NotificationClasses.SortedSet, "zpopmax"u8);
    public static readonly KeyEvent ZRangeStore = new(NotificationClasses.SortedSet, "zrangestore"u8);
    public static readonly KeyEvent ZUnionStore = new(NotificationClasses.SortedSet, "zunionstore"u8);
    public static readonly KeyEvent ZInterStore = new(NotificationClasses.SortedSet, "zinterstore"u8);
    public static readonly KeyEvent ZDiffStore = new(NotificationClasses.SortedSet, "zdiffstore"u8);
    public static readonly KeyEvent GeoRadiusStore = new(NotificationClasses.SortedSet, "georadiusstore"u8);
    public static readonly KeyEvent GeoSearchStore = new(NotificationClasses.SortedSet, "geosearchstore"u8);

    public static readonly KeyEvent XAdd = new(NotificationClasses.Stream, "xadd"u8) { BringsEntries = true };
    public static readonly KeyEvent XDel = new(NotificationClasses.Stream, "xdel"u8);
    public static readonly KeyEvent XTrim = new(NotificationClasses.Stream, "xtrim"u8);
    public static readonly KeyEvent XSetId = new(NotificationClasses.Stream, "xsetid"u8) { IsUnwatched = true };
    public static readonly KeyEvent XGroupCreate =
        new(NotificationClasses.Stream, "xgroup-create"u8) { IsUnwatched = true };
    public static readonly KeyEvent XGroupCreateConsumer =
        new(NotificationClasses.Stream, "xgroup-createconsumer"u8) { IsUnwatched = true };
    public static readonly KeyEvent XGroupDelConsumer =
        new(NotificationClasses.Stream, "xgroup-delconsumer"u8) { IsUnwatched = true };
    public static readonly KeyEvent XGroupDestroy =
        new(NotificationClasses.Stream, "xgroup-destroy"u8) { IsUnwatched = true };
    public static readonly KeyEvent XGroupSetId =
        new(NotificationClasses.Stream, "xgroup-setid"u8) { IsUnwatched = true };

    /// <summary>What a stream's groups have pending has changed (XREADGROUP, XACK, XCLAIM, XAUTOCLAIM), of which Redis
    /// tells nothing.</summary>
    public static readonly KeyEvent Pending = new(NotificationClasses.None, "pending"u8) { IsUnwatched = true };

    /// <summary>An empty stream was made for a group.</summary>
    public static readonly KeyEvent Made = new(NotificationClasses.None, "made"u8);

    /// <summary>A consumer was seen, which is noted with it and changes nothing else.</summary>
    public static readonly KeyEvent Seen = new(NotificationClasses.None, "seen"u8) { IsUnwatched = true };

    /// <summary>A string was made longer, of which Redis tells nothing: BITFIELD whose writes all failed, registers
    /// of a HyperLogLog that PFDEBUG has made dense.</summary>
    public static readonly KeyEvent Grown = new(NotificationClasses.None, "grown"u8) { IsUnwatched = true };

    /// <summary>A HyperLogLog has been counted and keeps the number, which Redis has no name for, either.</summary>
    public static readonly KeyEvent Counted = new(NotificationClasses.None, "counted"u8);

    /// <summary>A command ended in the midst of a change, for want of memory: the key is as it is by now. Redis, which
    /// ends itself then, has no name for it.</summary>
    public static readonly KeyEvent Interrupted = new(NotificationClasses.None, "interrupted"u8);

    private readonly byte[] _name;

    private KeyEvent(NotificationClasses classes, ReadOnlySpan<byte> name)
    {
        Classes = classes;
        _name = name.ToArray();
    }

    /// <summary>The class it is of.</summary>
    public NotificationClasses Classes { get; }

    /// <summary>Whether it is no change for who watches the key: Redis has WATCH look at a stream's entries, and not at
    /// its groups.</summary>
    public bool IsUnwatched { get; private init; }

    /// <summary>Whether a stream may have entries by it that it did not have before.</summary>
    public bool BringsEntries { get; private init; }

    /// <summary>Its name, in lower case.</summary>
    public ReadOnlySpan<byte> Name => _name;
}
