namespace Strata.Tests.Oracle;

/// <summary>Steps that are sent together, before any of their replies is read.</summary>
internal static class OracleBurst
{
    /// <summary>How many steps are sent together from one on.</summary>
    public static int Length(IReadOnlyList<OracleStep> steps, int first)
    {
        // A scan and a random key need answers in between, so that each is a burst of its own.
        var count = 1;
        while (first + count < steps.Count
            && !steps[first + count - 1].EndsBurst
            && steps[first + count - 1].Kind == StepKind.Commands
            && steps[first + count].Kind == StepKind.Commands)
        {
            count++;
        }

        return count;
    }
}
