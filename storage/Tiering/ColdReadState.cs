namespace Strata.Storage.Tiering;

/// <summary>How far the read of a cold record is.</summary>
internal enum ColdReadState : byte
{
    Idle,

    /// <summary>A look-up met it.</summary>
    Asked,

    /// <summary>Its place on the device stays what it is: it waits for room in memory.</summary>
    Pinned,
    Reading,

    /// <summary>The record is there.</summary>
    Read,

    /// <summary>It was there; a collection is being made large of it, which takes its memory, or was to be.</summary>
    Spent,

    /// <summary>Its place on the device was given up before it was read: another look-up will find it elsewhere.
    /// </summary>
    Gone,

    /// <summary>It was not read, or not kept: the command would hold too much at a time.</summary>
    TooLarge,

    /// <summary>It was not read: memory is at its end, and no room for it came.</summary>
    NoRoom,

    /// <summary>The device failed the read.</summary>
    Failed,

    /// <summary>What was read is not what was written.</summary>
    Damaged,
}
