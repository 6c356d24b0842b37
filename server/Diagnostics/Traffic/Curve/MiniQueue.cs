namespace Strata.Server.Diagnostics.Traffic.Curve;

/// <summary>Where a small cache has a key: as the server has its pages.</summary>
internal enum MiniQueue : byte
{
    /// <summary>New keys.</summary>
    Probation,

    /// <summary>Those that were read again.</summary>
    Main,

    /// <summary>Those that the policy may not give up.</summary>
    Pinned,
}
