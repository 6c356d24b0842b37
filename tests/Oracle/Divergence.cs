using Strata.Tests.Support;

namespace Strata.Tests.Oracle;

/// <summary>The first step on which two servers disagree, and what each of them said.</summary>
internal sealed record Divergence(int StepIndex, RespValue Actual, RespValue Expected);
