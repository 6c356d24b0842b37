using Strata.Storage.Memory;

namespace Strata.Server.Diagnostics;

/// <summary>
/// SLOWLOG: what the workers' chains hold, as one list. Each worker adds to its own chain, so nothing is shared but the
/// counter of ids. All members may be called from any thread.
/// </summary>
public sealed class SlowLog
{
    private readonly SlowLogChain[] _chains;
    private long _nextId;
    private long _firstId;

    /// <summary>An empty log of so many workers.</summary>
    /// <param name="workers">How many.</param>
    /// <param name="budget">What the entries are charged to; null where that is nothing.</param>
    public SlowLog(int workers, MemoryBudget? budget = null)
    {
        _chains = new SlowLogChain[workers];
        for (var i = 0; i < workers; i++)
        {
            _chains[i] = new SlowLogChain(budget, workers);
        }
    }

    /// <summary>Bytes charged to the budget; exact while no worker adds.</summary>
    public long ChargedBytes => _chains.Sum(chain => chain.ChargedBytes);

    /// <summary>The least id that counts: entries below it were reset.</summary>
    public long FirstId => Volatile.Read(ref _firstId);

    /// <summary>The chain of a worker; that worker alone may add to it.</summary>
    public SlowLogChain Of(int worker) => _chains[worker];

    /// <summary>Draws an entry's id.</summary>
    public long NextId() => Interlocked.Increment(ref _nextId) - 1;

    /// <summary>The newest <paramref name="count"/> entries of at most <paramref name="maxLength"/> that are kept,
    /// newest first.</summary>
    public IReadOnlyList<SlowLogEntry> Newest(long count, long maxLength)
    {
        var wanted = Math.Min(count, maxLength);
        var firstId = FirstId;
        var entries = new List<SlowLogEntry>();
        foreach (var chain in _chains)
        {
            var left = wanted;
            for (var entry = chain.Newest; entry != null && left > 0 && entry.Id >= firstId; entry = entry.Older)
            {
                entries.Add(entry);
                left--;
            }
        }

        entries.Sort(static (a, b) => b.Id.CompareTo(a.Id));
        return entries.Count <= wanted ? entries : entries.GetRange(0, (int)wanted);
    }

    /// <summary>What came since it was asked for last, as far as it is kept; each worker's oldest first.</summary>
    /// <param name="seen">For each worker the id of the last entry that was taken, -1 for none; moved on.</param>
    public IReadOnlyList<SlowLogEntry> TakeNew(Span<long> seen)
    {
        List<SlowLogEntry> taken = [];
        for (var worker = 0; worker < _chains.Length; worker++)
        {
            var newest = _chains[worker].Newest;
            var first = taken.Count;
            for (var entry = newest; entry != null && entry.Id > seen[worker]; entry = entry.Older)
            {
                taken.Add(entry);
            }

            taken.Reverse(first, taken.Count - first);
            seen[worker] = newest == null ? seen[worker] : Math.Max(seen[worker], newest.Id);
        }

        return taken;
    }

    /// <summary>Forgets all entries so far. The workers free them when they look after their chains.</summary>
    public void Reset() => Volatile.Write(ref _firstId, Volatile.Read(ref _nextId));
}
