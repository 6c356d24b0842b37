using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Strata.Storage.Index;

namespace Strata.Tests.Simulation;

/// <summary>Makes the hash the same in every process that runs tests: which shard a key is in must follow from a
/// simulation's seed alone.</summary>
internal static class HashSecretsOfTests
{
    private const ulong Seed = 12;

    [SuppressMessage("Usage", "CA2255", Justification = "It must come before the first hash, whichever test is first.")]
    [ModuleInitializer]
    internal static void Fix() => HashSecrets.Fix(new SimulatedPlatform(Seed));
}
