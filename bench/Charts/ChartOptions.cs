using CommandLine;

namespace Strata.Bench.Charts;

/// <summary>The flags of <c>strata-bench chart</c>.</summary>
[Verb("chart", HelpText = "Draw the report of a benchmark as SVG charts, one for each kind of figure.")]
[Example("--input versus.json --output docs/charts")]
public sealed class ChartOptions
{
    [Option("input", Required = true, HelpText = "Report that a benchmark wrote with --json.")]
    public string Input { get; set; } = "";

    [Option("output", Default = ".", HelpText = "Folder for the charts; made if it is missing.")]
    public string Output { get; set; } = ".";

    [Option("ratios", HelpText = "Draw one chart instead: what operations and data cost, compared with the baseline.")]
    public bool Ratios { get; set; }
}
