using Strata.Storage.Memory;

namespace Strata.Server.Clients.Access;

/// <summary>What was refused lately, the newest first (ACL LOG). Any thread; all takes a lock.</summary>
/// <param name="budget">What its memory is charged to.</param>
internal sealed class AccessLog(MemoryBudget budget)
{
    private const int EntriesToCompare = 10;

    private readonly Lock _lock = new();
    private readonly LinkedList<AccessLogEntry> _entries = [];
    private MemoryCharge _charge = new(budget);
    private long _nextId;

    /// <summary>Bytes charged to the budget.</summary>
    public long ChargedBytes => _charge.Bytes;

    private bool HasTooMuch
        => budget.LimitBytes != 0 && _entries.Count > ServerLimits.FreeAccessLogEntries
            && _charge.Bytes > budget.LimitBytes / ServerLimits.AccessLogShare;

    /// <summary>Adds an entry, or counts it with one of the newest that is the same.</summary>
    /// <param name="entry">The entry.</param>
    /// <param name="maxLength">How many are kept.</param>
    public void Add(AccessLogEntry entry, long maxLength)
    {
        lock (_lock)
        {
            var node = _entries.First;
            for (var i = 1; i < EntriesToCompare && node != null && !node.Value.IsSame(entry); i++)
            {
                node = node.Next;
            }

            if (node != null && node.Value.IsSame(entry))
            {
                Remove(node);
                entry = node.Value with
                {
                    Count = node.Value.Count + 1,
                    ClientInfo = entry.ClientInfo,
                    UpdatedMs = entry.UpdatedMs,
                };
            }
            else
            {
                entry = entry with { Id = _nextId++ };
            }

            _entries.AddFirst(entry);
            _charge.Set(_charge.Bytes + entry.SizeBytes);
            while (_entries.Count > maxLength || HasTooMuch)
            {
                Remove(_entries.Last!);
            }
        }
    }

    /// <summary>The newest entries, newest first.</summary>
    public IReadOnlyList<AccessLogEntry> Newest(long count)
    {
        lock (_lock)
        {
            return [.. _entries.Take((int)Math.Clamp(count, 0, int.MaxValue))];
        }
    }

    /// <summary>Forgets all.</summary>
    public void Reset()
    {
        lock (_lock)
        {
            _entries.Clear();
            _charge.Set(0);
        }
    }

    private void Remove(LinkedListNode<AccessLogEntry> node)
    {
        _entries.Remove(node);
        _charge.Set(_charge.Bytes - node.Value.SizeBytes);
    }
}
