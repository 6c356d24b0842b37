namespace Strata.Server.Commands.Keys;

/// <summary>What a command of SCAN's kind goes through.</summary>
internal enum ScannedKind
{
    /// <summary>Keys, which have types.</summary>
    Keys,

    /// <summary>Members of a set.</summary>
    Members,

    /// <summary>Members of a sorted set, with their scores.</summary>
    ScoredMembers,

    /// <summary>Fields of a hash, with their values, which may be left out.</summary>
    Fields,
}
