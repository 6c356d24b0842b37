using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Records;

/// <summary>Which queue of the log records belong to under the eviction policy, and how often they count as read when
/// they come there. Used under the lease.</summary>
internal sealed class RecordPlacement : IDisposable
{
    private readonly RecordLog _log;
    private int _wanted;

    public RecordPlacement(RecordLog log, MemoryBudget budget)
    {
        _log = log;
        Ghosts = new GhostQueue(budget);
    }

    /// <summary>The policy to be followed from <see cref="Adopt"/> on. Any thread.</summary>
    public EvictionPolicy Wanted
    {
        get => (EvictionPolicy)Volatile.Read(ref _wanted);
        set => Volatile.Write(ref _wanted, (int)value);
    }

    /// <summary>The policy that is followed. It stands still while a step of maintenance asks for it again and again.
    /// </summary>
    public EvictionPolicy Policy { get; private set; }

    /// <summary>Whether reads decide what the policy evicts.</summary>
    public bool CountsReads => Policy
        is EvictionPolicy.AllKeysLru or EvictionPolicy.AllKeysLfu
        or EvictionPolicy.VolatileLru or EvictionPolicy.VolatileLfu;

    /// <summary>Whether the policy lets only keys go that expire.</summary>
    public bool IsVolatile => Policy >= EvictionPolicy.VolatileLru;

    /// <summary>What was evicted.</summary>
    public GhostQueue Ghosts { get; }

    /// <summary>Which of the two queues is for a new key, and how large the small one is.</summary>
    public QueueBalance Balance { get; } = new();

    /// <summary>A value larger than this would fill the small queue alone and never prove itself there.</summary>
    public long LargestOnProbation { get; set; } = long.MaxValue;

    /// <summary>Follows what was set meanwhile. Between commands.</summary>
    public void Adopt()
    {
        var wanted = Wanted;
        if (wanted != Policy)
        {
            Policy = wanted;
            _log.CountsReads = CountsReads; // A tier has its say when the shard settles next.
        }
    }

    /// <summary>The queue of a new key.</summary>
    public PageKind PlaceNew(ulong hash, bool hasExpiry, long valueLength)
        => Policy == EvictionPolicy.NoEviction ? PageKind.Probation
            : IsVolatile && !hasExpiry ? PageKind.Pinned
            : CountsReads && (Balance.IsForMain(Ghosts.Take(hash)) || valueLength > LargestOnProbation) ? PageKind.Main
            : PageKind.Probation;

    /// <summary>The frequency a new key starts with. What is too large for the small queue is taken for read often at
    /// first: evicting the many small ones it displaces takes several rounds, in the first of which it would go.
    /// </summary>
    public int FirstFrequency(long valueLength) => valueLength > LargestOnProbation ? IndexEntry.MaxFrequency : 0;

    /// <summary>The queue of a record that is written anew, or moved, from a page of <paramref name="kind"/>.</summary>
    public PageKind PlaceAgain(PageKind kind, bool hasExpiry)
        => IsVolatile && !hasExpiry ? PageKind.Pinned
            : kind == PageKind.Pinned ? PageKind.Main
            : kind > PageKind.Pinned ? PageKind.Probation // What is on its way out of memory begins anew.
            : kind;

    /// <summary>The queue of a record that compaction moves. Where nothing is evicted, what lasts is kept apart from
    /// what is new: it will hardly become garbage.</summary>
    public PageKind PlaceCompacted(PageKind kind, bool hasExpiry)
        => Policy == EvictionPolicy.NoEviction ? PageKind.Main : PlaceAgain(kind, hasExpiry);

    /// <summary>The frequency a record keeps that proves itself anew after each round.</summary>
    public static int AgedByRound(int frequency, PageKind kind) => kind == PageKind.Probation ? 0 : frequency - 1;

    /// <inheritdoc/>
    public void Dispose() => Ghosts.Dispose();
}
