using Strata.Storage.Devices;
using Strata.Storage.Interop;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Tiering;

/// <summary>
/// A page of one record on its way to the device while the record's value is still being written: what is there goes,
/// part by part, and its memory is given back. Used again for one page after the other. Belongs to the worker that
/// began it.
/// </summary>
internal sealed unsafe class PassingWrite : DeviceRequest
{
    private readonly Action _onPartEnded;
    private TierWorker _worker = null!;
    private LogSegments _segments = null!;
    private PageImage _image;
    private PageParts _parts;
    private long _keptBytes;
    private bool _hasBegun;

    /// <summary>A write that tells when a part of it has ended.</summary>
    public PassingWrite(Action onPartEnded)
    {
        _onPartEnded = onPartEnded;
    }

    /// <summary>Whether a part is under way.</summary>
    public bool IsUnderWay { get; private set; }

    /// <summary>Whether the page is whole on the device.</summary>
    public bool IsDone { get; private set; }

    /// <summary>The errno, when the device has failed a part: no other follows.</summary>
    public int Error { get; private set; }

    /// <summary>Bytes from the page's start that take no memory any more, but for those that are kept.</summary>
    public long PassedBytes { get; private set; }

    /// <summary>Begins with a page, of which nothing is written yet.</summary>
    /// <param name="worker">The worker, on its thread.</param>
    /// <param name="segments">Where the page's place on the device is.</param>
    /// <param name="image">The place.</param>
    /// <param name="page">The page's first byte.</param>
    /// <param name="keptBytes">How many bytes of it stay in memory, the first ones.</param>
    /// <param name="record">Its record.</param>
    public void Begin(
        TierWorker worker, LogSegments segments, in PageImage image, byte* page, long keptBytes, in Record record)
    {
        _worker = worker;
        _segments = segments;
        _image = image;
        _parts = new PageParts(image, page, record);
        _keptBytes = keptBytes;
        IsDone = false;
        Error = 0;
        PassedBytes = keptBytes;
    }

    /// <summary>Goes on if no part is under way and the next is there.</summary>
    /// <param name="readyBytes">How many bytes of the page are there, from its start.</param>
    public void GoOn(long readyBytes)
    {
        if (!IsUnderWay && !IsDone && Error == 0 && readyBytes >= _parts.NeededBytes)
        {
            _parts.MoveNext();
            IsUnderWay = true;
            if (!_hasBegun)
            {
                _hasBegun = true;
                _worker.Tier.OnWriteStarted();
            }

            _worker.Write(this, _segments.DeviceOffset(_image.Offset + _parts.Offset), _parts.Start, _parts.Bytes);
        }
    }

    /// <summary>Nothing more is to be written.</summary>
    public void End()
    {
        Invariant.Check(!IsUnderWay, "what the device takes stays until it has");
        if (_hasBegun)
        {
            _hasBegun = false;
            _worker.Tier.OnWriteEnded(Error);
        }
    }

    /// <inheritdoc/>
    protected internal override void OnCompleted(int result)
    {
        IsUnderWay = false;
        if (result < _parts.Bytes)
        {
            Error = result < 0 ? -result : Errno.InputOutput;
        }
        else
        {
            IsDone = _parts.IsLast;
            if (_parts.Offset >= _keptBytes)
            {
                ReservedRegion.ReleasePages(_parts.Start, _parts.Bytes);
                PassedBytes = _parts.Offset + _parts.Bytes;
            }
        }

        _onPartEnded();
    }
}
