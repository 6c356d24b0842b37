namespace Strata.Bench.Servers;

/// <summary>One load on one server, and what measures it.</summary>
internal sealed record RoundStep(string Load, ServerSpec Server, Action Measure);
