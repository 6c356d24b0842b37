using Microsoft.Win32.SafeHandles;

namespace Strata.Storage.Devices.Files;

/// <summary>An open segment: counts those who use it, so that its file is closed after the last of them. Any thread.
/// </summary>
internal sealed class SegmentFile
{
    private readonly SegmentFiles _owner;
    private long _reservedBytes;
    private int _isGrowing;

    // The device itself is the first user, until the segment is removed. At 0 nobody enters any more.
    private int _users = 1;

    /// <summary>A file that was just opened.</summary>
    public SegmentFile(SegmentFiles owner, long segment, SafeFileHandle handle, long reservedBytes)
    {
        _owner = owner;
        Segment = segment;
        _reservedBytes = reservedBytes;
        Handle = handle;
        Descriptor = (int)handle.DangerousGetHandle();
    }

    /// <summary>The segment's number.</summary>
    public long Segment { get; }

    /// <summary>How large the file was made, bytes.</summary>
    public long ReservedBytes
    {
        get => Volatile.Read(ref _reservedBytes);
        set => Volatile.Write(ref _reservedBytes, value);
    }

    /// <summary>The open file; for whoever has entered.</summary>
    public SafeFileHandle Handle { get; }

    /// <summary>Its descriptor, likewise.</summary>
    public int Descriptor { get; }

    /// <summary>Keeps the file open until <see cref="Leave"/>.</summary>
    /// <returns>False when it is being closed.</returns>
    public bool TryEnter()
    {
        var users = Volatile.Read(ref _users);
        while (users > 0)
        {
            var seen = Interlocked.CompareExchange(ref _users, users + 1, users);
            if (seen == users)
            {
                return true;
            }

            users = seen;
        }

        return false;
    }

    /// <summary>Whether the caller is to make the file larger on another thread, who then calls <see
    /// cref="EndGrowth"/>.</summary>
    public bool TryBeginGrowth() => Interlocked.Exchange(ref _isGrowing, 1) == 0;

    /// <summary>The file was made larger, or could not be.</summary>
    public void EndGrowth() => Volatile.Write(ref _isGrowing, 0);

    /// <summary>Ends what TryEnter began; the last one has the file closed.</summary>
    public void Leave()
    {
        if (Interlocked.Decrement(ref _users) == 0)
        {
            _owner.CloseUnused(this);
        }
    }
}
