namespace Strata.Storage.Log;

/// <summary>What a page number stands for.</summary>
public enum PageKind : byte
{
    /// <summary>Not in use.</summary>
    Free,

    /// <summary>New records: the small queue, where they prove themselves.</summary>
    Probation,

    /// <summary>Records that were read again: the main queue.</summary>
    Main,

    /// <summary>Records without an expiry under a policy that evicts only those that have one. Not one record of such
    /// a page ever has an expiry.</summary>
    Pinned,

    /// <summary>In memory, and being written to the device: read, but not changed in place.</summary>
    Writing,

    /// <summary>In memory and on the device: its memory can be had at once.</summary>
    Clean,

    /// <summary>On the device alone.</summary>
    Cold,
}
