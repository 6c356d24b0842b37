using CommandLine;

namespace Strata.Bench.Micro;

/// <summary>The verb <c>strata-bench micro</c>; what follows it is BenchmarkDotNet's.</summary>
[Verb("micro", HelpText = "Micro-benchmarks; takes BenchmarkDotNet's flags (--list flat, --filter '*', --job short).")]
[Example("--filter '*' --job short")]
public sealed class MicroOptions
{
    /// <summary>The verb's name.</summary>
    public const string Verb = "micro";
}
