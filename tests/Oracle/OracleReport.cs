using System.Globalization;
using System.Text;

namespace Strata.Tests.Oracle;

/// <summary>Prints a failing sequence so that it can be replayed by hand with redis-cli.</summary>
internal static class OracleReport
{
    public static string Print(SequenceRunner runner, IReadOnlyList<OracleStep> steps, Divergence divergence)
    {
        var output = new StringBuilder();
        var inBurst = false;
        for (var i = 0; i <= divergence.StepIndex; i++)
        {
            var joins = !steps[i].EndsBurst && steps[i].Kind == StepKind.Commands && i < divergence.StepIndex;
            if (joins && !inBurst)
            {
                output.AppendLine("  # the lines marked | are sent in one burst with the line after them");
            }

            inBurst = joins;
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
