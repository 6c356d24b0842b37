namespace Strata.Storage.Changes;

/// <summary>The classes of keyspace events, one bit for each letter of <c>notify-keyspace-events</c>.</summary>
[Flags]
public enum NotificationClasses
{
    None = 0,

    /// <summary>K: events by key, <c>__keyspace@db__:key</c>.</summary>
    KeySpace = 1 << 0,

    /// <summary>E: keys by event, <c>__keyevent@db__:event</c>.</summary>
    KeyEvent = 1 << 1,

    /// <summary>g: commands of no type, as DEL, EXPIRE, RENAME.</summary>
    Generic = 1 << 2,

    /// <summary>$</summary>
    String = 1 << 3,

    /// <summary>l</summary>
    List = 1 << 4,

    /// <summary>s</summary>
    Set = 1 << 5,

    /// <summary>h</summary>
    Hash = 1 << 6,

    /// <summary>z</summary>
    SortedSet = 1 << 7,

    /// <summary>x: keys whose time has come.</summary>
    Expired = 1 << 8,

    /// <summary>e: keys evicted for maxmemory.</summary>
    Evicted = 1 << 9,

    /// <summary>t</summary>
    Stream = 1 << 10,

    /// <summary>m: reads of keys that are not there. Not part of A.</summary>
    KeyMiss = 1 << 11,

    /// <summary>d: events of module types.</summary>
    Module = 1 << 12,

    /// <summary>n: keys that are made. Not part of A.</summary>
    New = 1 << 13,

    /// <summary>A: all but misses and new keys.</summary>
    All = Generic | String | List | Set | Hash | SortedSet | Expired | Evicted | Stream | Module,
}
