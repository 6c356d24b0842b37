using Strata.Storage.Log;

namespace Strata.Storage.Tiering;

/// <summary>
/// The page of one large record on its way to the device: it goes in parts, so that none takes long; the first, in
/// which the checksum stands, last.
/// </summary>
internal unsafe struct PageParts
{
    /// <summary>Bytes of a part; the last is shorter.</summary>
    public const int PartBytes = 1 << 20;

    private readonly byte* _page;
    private readonly long _deviceBytes;
    private readonly Record _record;
    private uint _checksum;
    private long _part;

    /// <summary>Stands before all parts.</summary>
    /// <param name="image">Where the page goes.</param>
    /// <param name="page">Where it lies in memory.</param>
    /// <param name="record">Its record, of which the value may be written later.</param>
    public PageParts(in PageImage image, byte* page, in Record record)
    {
        Invariant.Check(!record.IsLarge, "a large collection leaves memory frozen");
        _page = page;
        _deviceBytes = image.DeviceBytes;
        _record = record;
        _checksum = RecordChecksum.Begin(record, image.Generation);
    }

    /// <summary>Whether this is the part after which there is no other: the first of the page.</summary>
    public bool IsLast { get; private set; }

    /// <summary>Where in the page the part begins.</summary>
    public readonly long Offset => _part * PartBytes;

    /// <summary>Its first byte.</summary>
    public readonly byte* Start => _page + Offset;

    /// <summary>Its length.</summary>
    public readonly int Bytes => (int)Math.Min(PartBytes, _deviceBytes - Offset);

    /// <summary>How many bytes of the page must be there before <see cref="MoveNext"/>.</summary>
    public readonly long NeededBytes => Math.Min((_part + 2) * PartBytes, _deviceBytes);

    /// <summary>Goes on to the next part.</summary>
    public void MoveNext()
    {
        if (_part == 0)
        {
            AddToChecksum();
        }

        _part++;
        if (Offset < _deviceBytes)
        {
            AddToChecksum();
            return;
        }

        RecordChecksum.Store(_record, _checksum);
        _part = 0;
        IsLast = true;
    }

    private void AddToChecksum()
    {
        var first = (byte*)Math.Max((nint)_record.KeyPointer, (nint)Start);
        var end = _record.KeyPointer + _record.KeyLength + (long)_record.ValueLength;
        var last = Math.Min((nint)end, (nint)(Start + PartBytes));
        if (last > (nint)first)
        {
            _checksum = RecordChecksum.Continue(_checksum, first, last - (nint)first);
        }
    }
}
