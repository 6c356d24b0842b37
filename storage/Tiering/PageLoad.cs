using Strata.Storage.Devices;
using Strata.Storage.Interop;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Tiering;

/// <summary>A whole page on its way from the device, for compaction and expiry. Belongs to the worker that began it
/// until it has ended.</summary>
internal sealed unsafe class PageLoad : DeviceRequest
{
    private const int PartBytes = 1 << 20;

    private readonly ShardTier _owner;
    private TierWorker _worker = null!;
    private LogSegment _segment = null!;
    private NativeBlock _buffer;
    private long _done;
    private int _asked;
    private bool _hasEnded;

    public PageLoad(ShardTier owner)
    {
        _owner = owner;
    }

    public PageImage Image { get; private set; }

    /// <summary>Whether it has ended; written by the thread that began it, read under the shard's lease.</summary>
    public bool HasEnded => Volatile.Read(ref _hasEnded);

    /// <summary>The errno, when it failed.</summary>
    public int Error { get; private set; }

    /// <summary>The page's bytes, once they are there.</summary>
    public byte* Start => _buffer.Start;

    /// <summary>Begins to read a page, under the shard's lease.</summary>
    /// <returns>False when there is no memory for it now.</returns>
    public bool TryBegin(TierWorker worker, in PageImage image, LogSegment segment)
    {
        if (!worker.Tier.PageRoom.TryTake(image.DeviceBytes, worker.Budget))
        {
            return false;
        }

        try
        {
            _buffer = worker.Budget.Buffers.AllocateAligned(image.DeviceBytes);
        }
        catch (OutOfMemoryException)
        {
            worker.Tier.PageRoom.Release(image.DeviceBytes);
            return false;
        }

        worker.Budget.Charge(_buffer.Bytes);
        segment.Retain();
        _worker = worker;
        _segment = segment;
        Image = image;
        Error = 0;
        _hasEnded = false;
        _done = 0;
        ReadPart();
        return true;
    }

    /// <summary>Gives the page's memory back.</summary>
    public void Clear()
    {
        _worker.Budget.Charge(-_buffer.Bytes);
        _worker.Budget.Buffers.Free(_buffer);
        _worker.Tier.PageRoom.Release(Image.DeviceBytes);
        _buffer = default;
    }

    /// <inheritdoc/>
    protected internal override void OnCompleted(int result)
    {
        _done += Math.Max(result, 0);
        if (result < _asked)
        {
            End(result < 0 ? -result : Errno.InputOutput);
        }
        else if (_done < Image.DeviceBytes)
        {
            ReadPart();
        }
        else
        {
            End(0);
        }
    }

    private void ReadPart()
    {
        _asked = (int)Math.Min(PartBytes, Image.DeviceBytes - _done);
        _worker.Read(this, _owner.Segments.DeviceOffset(Image.Offset + _done), _buffer.Start + _done, _asked);
    }

    private void End(int errno)
    {
        Error = errno;
        _segment.Release();
        var worker = _worker; // Once it has ended, whoever holds the lease may begin the next, on another thread.
        Volatile.Write(ref _hasEnded, true);
        _owner.OnEnded(worker);
    }
}
