using CommandLine;

namespace Strata.Bench.Charts;

/// <summary>The flags of <c>strata-bench chart</c>.</summary>
[Verb("chart", HelpText = "Draw the report of versus or hitratio as SVG charts, one for each kind of figure.")]
public sealed class ChartOptions
{
    [Option("input", Required = true, HelpText = "Report that versus or hitratio wrote with --json.")]
    public string Input { get; set; } = "";

    [Option("output", Default = ".", HelpText = "Folder for the charts; made if it is missing.")]
    public string Output { get; set; } = ".";
}
