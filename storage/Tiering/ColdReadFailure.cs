namespace Strata.Storage.Tiering;

/// <summary>Why a cold record cannot be had.</summary>
public enum ColdReadFailure : byte
{
    None,

    /// <summary>The device failed the read.</summary>
    Device,

    /// <summary>What was read is not what was written.</summary>
    Damaged,

    /// <summary>All that the command needs at a time is more than memory may hold.</summary>
    TooLarge,

    /// <summary>Memory is at its end, and no room came for what the command needs.</summary>
    NoRoom,
}
