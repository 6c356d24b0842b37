namespace Strata.Storage.Tiering;

/// <summary>How far the read of a cold record is.</summary>
internal enum ColdReadState : byte
{
    Idle,

    /// <summary>A look-up met it.</summary>
    Asked,
    Reading,

    /// <summary>The record is there.</summary>
    Read,

    /// <summary>Its place on the device was given up before it was read: another look-up will find it elsewhere.
    /// </summary>
    Gone,

    /// <summary>The device failed the read.</summary>
    Failed,

    /// <summary>What was read is not what was written.</summary>
    Damaged,
}
