using Strata.Storage.Memory;

namespace Strata.Server.Diagnostics;

/// <summary>The slow commands of one worker, newest first. The worker adds; any thread may walk it meanwhile, without a
/// lock: entries do not change, and what is cut off stays readable for who is on it.</summary>
public sealed class SlowLogChain
{
    // The chain is cut when it is this much longer than it need be, so that most additions do not walk it.
    private const long Slack = 64;

    private readonly MemoryBudget? _budget;
    private readonly int _share;
    private SlowLogEntry? _newest;
    private long _length;
    private long _keptFromId;
    private MemoryCharge _charge;

    /// <summary>An empty chain.</summary>
    /// <param name="budget">What its entries are charged to.</param>
    /// <param name="chains">How many share what the log may take.</param>
    public SlowLogChain(MemoryBudget? budget, int chains)
    {
        _budget = budget;
        _share = chains * ServerLimits.SlowLogShare;
        _charge = new MemoryCharge(budget);
    }

    /// <summary>Bytes charged to the budget.</summary>
    public long ChargedBytes => _charge.Bytes;

    /// <summary>The newest entry, or null.</summary>
    public SlowLogEntry? Newest => Volatile.Read(ref _newest);

    private long MostBytes => _budget is { LimitBytes: not 0 and var limit } ? limit / _share : long.MaxValue;

    /// <summary>Adds an entry, and drops those that are more than <paramref name="maxLength"/> back, or before
    /// <paramref name="firstId"/>.</summary>
    public void Add(SlowLogEntry entry, long maxLength, long firstId)
    {
        entry.Older = _newest;
        Volatile.Write(ref _newest, entry);
        _charge.Set(_charge.Bytes + entry.MemoryBytes);
        if (++_length - Slack > maxLength)
        {
            Cut(maxLength, firstId);
        }
        else if (_length > ServerLimits.FreeSlowLogEntries && _charge.Bytes > MostBytes)
        {
            Cut(_length / 2, firstId); // A log of any length is kept only as far as it leaves others their memory.
        }
    }

    /// <summary>Drops entries that nobody will ask for, if there are any.</summary>
    public void Trim(long maxLength, long firstId)
    {
        if (_length > maxLength || firstId != _keptFromId)
        {
            Cut(maxLength, firstId);
        }
    }

    private void Cut(long maxLength, long firstId)
    {
        _length = 0;
        _keptFromId = firstId;
        var bytes = 0L;
        SlowLogEntry? last = null;
        for (var entry = _newest; entry != null && _length < maxLength && entry.Id >= firstId; entry = entry.Older)
        {
            last = entry;
            bytes += entry.MemoryBytes;
            _length++;
        }

        _charge.Set(bytes);

        if (last == null)
        {
            Volatile.Write(ref _newest, null);
        }
        else
        {
            last.Older = null;
        }
    }
}
