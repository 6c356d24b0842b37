using Strata.Storage.Log;

namespace Strata.Storage.Tiering;

/// <summary>What a set of cold records is asked for: where on the device a record lies, and how it stands until a <see
/// cref="ColdRead"/> brings it. Small, and in native memory: commands ask for far more than is read at a time.
/// </summary>
internal struct ColdAsk
{
    /// <summary>The record's address.</summary>
    public ulong Address { get; private set; }

    /// <summary>The shard's number.</summary>
    public int Shard { get; private set; }

    /// <summary>Whether only header and key are wanted, and can be had alone.</summary>
    public bool IsHeadOnly { get; private set; }

    /// <summary>How it stands, before it is read.</summary>
    public ColdReadState State { get; set; }

    /// <summary>The page as it was when the record was asked for.</summary>
    public PageImage Image { get; private set; }

    /// <summary>Where the record begins, in the shard's space on the device.</summary>
    public long Position { get; private set; }

    /// <summary>What it may take before it has been read, bytes: the size of a record that shares its page is known
    /// only then.</summary>
    public long MostBytes { get; private set; }

    /// <summary>What it takes for certain, bytes.</summary>
    public readonly long LeastBytes
        => ColdRead.LeastHeldBytes + (IsAlone && !IsHeadOnly ? Image.UsedBytes - (Position - Image.Offset) : 0);

    private readonly bool IsAlone => Image.HeadChecksum != 0;

    /// <summary>Asks for a record.</summary>
    /// <param name="shard">The shard.</param>
    /// <param name="address">The record's address.</param>
    /// <param name="log">The shard's log.</param>
    /// <param name="takesValue">Whether more is wanted than header and key.</param>
    public static ColdAsk For(int shard, ulong address, RecordLog log, bool takesValue)
    {
        var offset = log.OffsetOf(address);
        var image = log.Device!.Locate(log.PageOf(address));
        var ask = new ColdAsk
        {
            Address = address,
            Shard = shard,
            Image = image,
            IsHeadOnly = !takesValue && image.HeadChecksum != 0,
            Position = image.Offset + offset,
            State = ColdReadState.Asked,
        };
        var left = Math.Max(0, image.UsedBytes - offset);
        ask.MostBytes = ColdRead.LeastHeldBytes + (ask.IsHeadOnly ? ColdRead.BufferBytes
            : ask.IsAlone || left > log.PageBytes ? left + (2 * ColdRead.BufferBytes)
            : Math.Min(left, log.LargestShared));
        return ask;
    }
}
