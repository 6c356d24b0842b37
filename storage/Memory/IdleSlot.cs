namespace Strata.Storage.Memory;

/// <summary>Where a block lies that is kept.</summary>
internal struct IdleSlot
{
    public const nint Empty = 0;

    /// <summary>Only who wrote this looks at the rest, or changes it.</summary>
    public const nint Busy = 1;

    public nint Start;
    public long Bytes;
    public long SinceMs;

    /// <summary>What seems to be there, bytes.</summary>
    public readonly long BytesIfThere => Start is Empty or Busy ? 0 : Bytes;
}
