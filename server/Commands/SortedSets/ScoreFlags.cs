namespace Strata.Server.Commands.SortedSets;

/// <summary>The words of ZADD.</summary>
[Flags]
internal enum ScoreFlags
{
    None = 0,

    /// <summary>Only add members.</summary>
    Nx = 1,

    /// <summary>Only change members.</summary>
    Xx = 2,

    /// <summary>Only change scores that grow.</summary>
    Gt = 4,

    /// <summary>Only change scores that shrink.</summary>
    Lt = 8,

    /// <summary>Answer how many were changed, not only how many added.</summary>
    Ch = 16,

    /// <summary>Add to the score.</summary>
    Incr = 32,
}
