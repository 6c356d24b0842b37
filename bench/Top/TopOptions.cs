using CommandLine;
using Strata.Bench.Load;

namespace Strata.Bench.Top;

/// <summary>The flags of <c>strata-bench top</c>.</summary>
[Verb("top", HelpText = "Show what a server is doing, once a second, until q or Ctrl-C.")]
[Example("--port 6379 --once")]
public sealed class TopOptions : TargetOptions
{
    [Option("interval", Default = 1.0, HelpText = "Seconds between two looks.")]
    public double IntervalSeconds { get; set; } = 1;

    [Option("once", HelpText = "Print what happens in one interval, and end.")]
    public bool Once { get; set; }
}
