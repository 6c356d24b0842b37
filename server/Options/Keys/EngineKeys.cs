using Strata.Server.Options.Syntax;
using Strata.Storage;

namespace Strata.Server.Options.Keys;

/// <summary>Keys about the threads, the shards and the work in the background.</summary>
public static class EngineKeys
{
    public static readonly ConfigurationKey Databases = new(
        "databases",
        new IntegerSyntax(1, Limits.MaxDatabases),
        "16",
        "The number of databases, which SELECT chooses from by number, from 0.")
    {
        Change = ChangeRule.AtStart,
    };

    public static readonly ConfigurationKey Shards = new(
        "shards",
        new PowerOfTwoSyntax(Limits.MaxShards),
        "16",
        "Into how many shards the keys are split: a power of two. Several for each worker spread the load evenly.")
    {
        Change = ChangeRule.AtStart,
    };

    public static readonly ConfigurationKey Workers = new(
        "workers",
        new IntegerSyntax(0, Limits.MaxWorkers),
        "0",
        "The number of threads that serve clients; 0 is one for each core the process may use.")
    {
        Change = ChangeRule.AtStart,
    };

    public static readonly ConfigurationKey SgGet = new(
        "sg-get",
        new YesNoSyntax(),
        "yes",
        "Whether commands that arrive together are looked up together, ahead of their execution.");

    public static readonly ConfigurationKey Hz = new(
        "hz",
        new IntegerSyntax(0, int.MaxValue) { RaiseTo = 1, LowerTo = 500 },
        "10",
        "How many times a second background work runs: 1 to 500; other numbers are taken as the nearest of these.");

    public static readonly ConfigurationKey DisableThp = new(
        "disable-thp",
        new YesNoSyntax(),
        "no",
        "Whether to do without transparent huge pages. They make look-ups in much data faster, where the kernel allows "
        + "them (madvise or always in /sys/kernel/mm/transparent_hugepage/enabled).")
    {
        Change = ChangeRule.AtStart,
    };

    public static readonly ConfigurationKey Dir = new(
        "dir",
        new DirectorySyntax(),
        "./",
        "The working directory, where the data is saved. Relative paths of the log file, the pidfile and the Unix "
        + "socket start from it.")
    {
        Change = ChangeRule.Protected,
    };

    public static readonly ConfigurationKey NotifyKeyspaceEvents = new(
        "notify-keyspace-events",
        new NotificationSyntax(),
        "\"\"",
        "Which events of keys are published, by letter: K and/or E (to __keyspace@db__:key, to __keyevent@db__:event) "
        + "with g (generic), $ (strings), l (lists), s (sets), h (hashes), z (sorted sets), x (expired), e (evicted), "
        + "t (streams), d (modules), A (all of these), m (misses), n (new keys). Empty publishes none.");

    /// <summary>The section of these keys.</summary>
    public static readonly ConfigurationSection Section = new(
        "Threads, shards and data",
        [Databases, Shards, Workers, SgGet, DisableThp, Hz, Dir, NotifyKeyspaceEvents]);
}
