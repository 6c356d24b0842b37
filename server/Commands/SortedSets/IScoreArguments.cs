using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.SortedSets;

/// <summary>The arguments before a member that its score is made of.</summary>
internal interface IScoreArguments
{
    /// <summary>How many they are.</summary>
    static abstract int Count { get; }

    /// <summary>Reads a score; answers the error where it is none.</summary>
    /// <param name="context">The command.</param>
    /// <param name="index">The first of its arguments.</param>
    /// <param name="score">The score.</param>
    static abstract bool TryRead(CommandContext context, int index, out double score);
}
