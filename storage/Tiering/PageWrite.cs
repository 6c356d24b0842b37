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
    private const int PartBytes = 1 << 20;

    private readonly ShardTier _owner;
    private TierWorker _worker = null!;
    private byte* _start;
    private Record _large;
    private uint _checksum;
    private long _part;
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

        _part = 0;
        WritePart((int)image.DeviceBytes);
    }

    /// <summary>Begins to write the page of one large record.</summary>
    public void BeginLarge(TierWorker worker, in PageImage image, byte* start, in Record record)
    {
        Invariant.Check(!record.IsLarge, "a large collection leaves memory frozen");
        Prepare(worker, image, start);
        _large = record;
        _checksum = RecordChecksum.Begin(record, image.Generation);
        _part = 0;
        AddToChecksum();
        Advance();
    }

    /// <inheritdoc/>
    protected internal override void OnCompleted(int result)
    {
        if (result < _asked)
        {
            End(result < 0 ? -result : Errno.InputOutput);
        }
        else if (_part == 0)
        {
            End(0);
        }
        else
        {
            Advance();
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

    private void Advance()
    {
        _part++;
        if (_part * PartBytes < Image.DeviceBytes)
        {
            AddToChecksum();
        }
        else
        {
            RecordChecksum.Store(_large, _checksum);
            _part = 0;
        }

        WritePart((int)Math.Min(PartBytes, Image.DeviceBytes - (_part * PartBytes)));
    }

    private void AddToChecksum()
    {
        var first = (byte*)Math.Max((nint)_large.KeyPointer, (nint)(_start + (_part * PartBytes)));
        var end = _large.KeyPointer + _large.KeyLength + (long)_large.ValueLength;
        var last = Math.Min((nint)end, (nint)(_start + ((_part + 1) * PartBytes)));
        if (last > (nint)first)
        {
            _checksum = RecordChecksum.Continue(_checksum, first, last - (nint)first);
        }
    }

    private void WritePart(int bytes)
    {
        _asked = bytes;
        var offset = _part * PartBytes;
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
