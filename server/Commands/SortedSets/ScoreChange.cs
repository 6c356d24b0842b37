namespace Strata.Server.Commands.SortedSets;

/// <summary>What became of one member of ZADD.</summary>
internal enum ScoreChange
{
    /// <summary>A condition was not met.</summary>
    None,

    /// <summary>It has the score already.</summary>
    Same,
    Added,
    Updated,

    /// <summary>The sum of two infinities is no number.</summary>
    NotANumber,
}
