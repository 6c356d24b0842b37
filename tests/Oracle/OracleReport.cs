using System.Globalization;
using System.Text;

namespace Strata.Tests.Oracle;

/// <summary>Prints a failing sequence so that it can be replayed by hand with redis-cli, with all that was sent before
/// the reply came.</summary>
internal static class OracleReport
{
    public static string Print(SequenceRunner runner, IReadOnlyList<OracleStep> steps, Divergence divergence)
    {
        var output = new StringBuilder();
        var inBurst = false;
        var end = divergence.StepIndex + OracleBurst.Length(steps, divergence.StepIndex);
        for (var i = 0; i < end; i++)
        {
            var joins = OracleBurst.Length(steps, i) > 1;
            if (joins && !inBurst)
            {
                output.AppendLine("  # the lines marked | are sent in one burst with the line after them");
            }

            inBurst = joins;
            if (i == divergence.StepIndex && end > i + 1)
            {
                output.AppendLine("  # the replies of the next line differ:");
            }

            foreach (var line in steps[i].ToString().Split('\n'))
            {
                output.Append(joins ? "  | " : "  ").AppendLine(line);
            }
        }

        output.AppendLine(CultureInfo.InvariantCulture, $"{runner.ExpectedName} replies:");
        output.AppendLine(Indented(divergence.Expected.ToString()));
        output.AppendLine(CultureInfo.InvariantCulture, $"{runner.ActualName} replies:");
        output.AppendLine(Indented(divergence.Actual.ToString()));
        return output.ToString();
    }

    private static string Indented(string text) => "  " + text.Replace("\n", "\n  ", StringComparison.Ordinal);
}
