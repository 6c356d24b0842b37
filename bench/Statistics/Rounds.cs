namespace Strata.Bench.Statistics;

/// <summary>Steps that are taken in turn, round after round, so that what else the machine does falls on all of them
/// alike.</summary>
internal static class Rounds
{
    /// <summary>Takes all steps in each round; the progress is told as a part done (0 to 1) and what is running.
    /// </summary>
    /// <param name="rounds">How often.</param>
    /// <param name="steps">What each is, and what measures it and keeps the figures.</param>
    /// <param name="onProgress">Whom to tell.</param>
    /// <exception cref="BenchException">A step failed.</exception>
    public static void Run(
        int rounds, IReadOnlyList<(string What, Action Measure)> steps, Action<double, string> onProgress)
    {
        for (var round = 0; round < rounds; round++)
        {
            for (var i = 0; i < steps.Count; i++)
            {
                var done = (double)((round * steps.Count) + i) / (rounds * steps.Count);
                onProgress(done, $"round {round + 1}: {steps[i].What}");
                steps[i].Measure();
            }
        }
    }
}
