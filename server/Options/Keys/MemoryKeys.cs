using Strata.Server.Options.Syntax;

namespace Strata.Server.Options.Keys;

/// <summary>Keys about how much memory is used and what leaves it.</summary>
public static class MemoryKeys
{
    public static readonly ConfigurationKey MaxMemory = new(
        "maxmemory",
        new MemorySyntax(0),
        "0",
        "How much memory the server may hold: index, data and connection buffers; 0 does not limit.");

    /// <summary>The words of the policies.</summary>
    public static readonly EnumerationSyntax Policies = new(
        "volatile-lru",
        "volatile-lfu",
        "volatile-random",
        "volatile-ttl",
        "allkeys-lru",
        "allkeys-lfu",
        "allkeys-random",
        "noeviction");

    public static readonly ConfigurationKey MaxMemoryPolicy = new(
        "maxmemory-policy",
        Policies,
        "noeviction",
        "What to do when maxmemory is reached: refuse writes (noeviction), or remove keys, out of all (allkeys-) or of "
        + "those with an expiry (volatile-).");

    public static readonly ConfigurationKey LfuLogFactor = new(
        "lfu-log-factor",
        new IntegerSyntax(0, int.MaxValue),
        "10",
        "With an lfu policy, how slowly the counter grows that OBJECT FREQ shows: with 0 by each access, with 10 it is "
        + "at its end, 255, after about a million.");

    public static readonly ConfigurationKey LfuDecayTime = new(
        "lfu-decay-time",
        new IntegerSyntax(0, int.MaxValue),
        "1",
        "With an lfu policy, after how many minutes without an access that counter falls by one; 0 for never.");

    public static readonly ConfigurationKey ActiveExpireEffort = new(
        "active-expire-effort",
        new IntegerSyntax(1, 10),
        "1",
        "How much of the time goes into finding expired keys that nobody asks for: 1 (least) to 10.");

    /// <summary>The section of these keys.</summary>
    public static readonly ConfigurationSection Section = new(
        "Memory",
        [MaxMemory, MaxMemoryPolicy, LfuLogFactor, LfuDecayTime, ActiveExpireEffort]);
}
