using Strata.Storage.Devices;
using Strata.Storage.Interop;
using Strata.Storage.Log;

namespace Strata.Storage.Tiering;

/// <summary>
/// A page on its way to the device. An ordinary one goes as a whole, its records provided with their checksums first.
/// The page of a large record goes in parts, so that no part takes long: the first, in which the checksum stands, last.
/// Begun under the shard's lease; goes on, on the thread that began it, without.
/// </summary>
internal sealed unsafe class PageWrite : DeviceRequest
{
    private readonly ShardTier _owner;
    private TierWorker _worker = null!;
    private byte* _start;
    private PageParts _parts;
    private bool _isInParts;
    private int _asked;
    private bool _isEnded;

    public PageWrite(ShardTier owner)
    {
        _owner = owner;
    }

    public PageImage Image { get; private set; }

    /// <summary>Whether it has ended; written by the thread it goes on on, read under the shard's lease.</summary>
    public bool IsEnded => Volatile.Read(ref _isEnded);

    /// <summary>The errno, when it failed.</summary>
    public int Error { get; private set; }

    /// <summary>Begins to write a page of ordinary size.</summary>
    public void Begin(TierWorker worker, in PageImage image, byte* start, RecordLog log)
    {
        Prepare(worker, image, start);
        for (long offset = 0; log.TryWalk(image.Page, ref offset, out var record);)
        {
            Invariant.Check(record.IsDead || !record.IsLarge, "a large collection leaves memory frozen");
            RecordChecksum.Store(record, RecordChecksum.Compute(record, image.Generation));
        }

        _isInParts = false;
        Write(0, (int)image.DeviceBytes);
    }

    /// <summary>Begins to write the page of one large record.</summary>
    public void BeginLarge(TierWorker worker, in PageImage image, byte* start, in Record record)
    {
        Prepare(worker, image, start);
        _isInParts = true;
        _parts = new PageParts(image, start, record);
        WriteNext();
    }

    /// <inheritdoc/>
    protected internal override void OnCompleted(int result)
    {
        if (result < _asked)
        {
            End(result < 0 ? -result : Errno.InputOutput);
        }
        else if (_isInParts && !_parts.IsLast)
        {
            WriteNext();
        }
        else
        {
            End(0);
        }
    }

    private void Prepare(TierWorker worker, in PageImage image, byte* start)
    {
        _worker = worker;
        Image = image;
        _start = start;
        _isEnded = false;
        Error = 0;
    }

    private void WriteNext()
    {
        _parts.MoveNext();
        Write(_parts.Offset, _parts.Bytes);
    }

    private void Write(long offset, int bytes)
    {
        _asked = bytes;
        _worker.Write(this, _owner.Segments.DeviceOffset(Image.Offset + offset), _start + offset, bytes);
    }

    private void End(int errno)
    {
        Error = errno;
        var worker = _worker; // Once it has ended, whoever holds the lease may begin the next, on another thread.
        worker.Tier.OnWriteEnded(errno);
        Volatile.Write(ref _isEnded, true);
        _owner.OnEnded(worker);
    }
}
