namespace Strata.Tests.Oracle;

/// <summary>One seed's check: its sequence in lock step, then in bursts; what fails is shrunk and printed.</summary>
internal static class OracleCheck
{
    /// <returns>The failure to report; null when the servers agree.</returns>
    public static string? Run(SequenceRunner runner, RandomCommandGenerator generator, int seed)
    {
        var lockStep = generator.Sequence(seed);
        return Run(runner, lockStep, seed, "in lock step")
            ?? Run(runner, RandomCommandGenerator.InBursts(lockStep, seed), seed, "in bursts");
    }

    private static string? Run(SequenceRunner runner, IReadOnlyList<OracleStep> steps, int seed, string how)
    {
        var divergence = runner.FirstDivergence(steps);
        if (divergence is null)
        {
            return null;
        }

        var title = $"Seed {seed}, {how}: {steps.Count} steps, the replies differ at step {divergence.StepIndex + 1}:\n"
            + $"{steps[divergence.StepIndex]}\n{runner.ExpectedName}: {divergence.Expected}\n"
            + $"{runner.ActualName}: {divergence.Actual}";
        var small = new SequenceShrinker(runner).Shrink(steps);
        var again = runner.FirstDivergence(small);
        if (again is null)
        {
            var whole = OracleReport.Print(runner, steps, divergence);
            return $"{title}\nIt didn't fail a second time; the whole sequence:\n{whole}";
        }

        return $"{title}\nShrunk to {small.Count}:\n{OracleReport.Print(runner, small, again)}";
    }
}
