namespace Strata.Server.Diagnostics;

/// <summary>The slow commands of one worker, newest first. The worker adds; any thread may walk it meanwhile, without a
/// lock: entries do not change, and what is cut off stays readable for who is on it.</summary>
public sealed class SlowLogChain
{
    // The chain is cut when it is this much longer than it need be, so that most additions do not walk it.
    private const long Slack = 64;

    private SlowLogEntry? _newest;
    private long _length;

    /// <summary>The newest entry, or null.</summary>
    public SlowLogEntry? Newest => Volatile.Read(ref _newest);

    /// <summary>Adds an entry, and drops those that are more than <paramref name="maxLength"/> back, or before
    /// <paramref name="firstId"/>.</summary>
    public void Add(SlowLogEntry entry, long maxLength, long firstId)
    {
        entry.Older = _newest;
        Volatile.Write(ref _newest, entry);
        if (++_length - Slack > maxLength)
        {
            Cut(maxLength, firstId);
        }
    }

    /// <summary>Drops entries that nobody will ask for.</summary>
    public void Cut(long maxLength, long firstId)
    {
        _length = 0;
        SlowLogEntry? last = null;
        for (var entry = _newest; entry != null && _length < maxLength && entry.Id >= firstId; entry = entry.Older)
        {
            last = entry;
            _length++;
        }

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
