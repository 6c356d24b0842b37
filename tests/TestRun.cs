using NUnit.Framework;

namespace Strata.Tests;

/// <summary>What holds for all tests of a run.</summary>
[SetUpFixture]
public sealed class TestRun
{
    /// <summary>A .NET program that is killed, as servers are here, leaves the pipes of its diagnostics in the folder
    /// of temporary files; so they have none.</summary>
    [OneTimeSetUp]
    public void LeaveNoPipesBehind() => Environment.SetEnvironmentVariable("DOTNET_EnableDiagnostics", "0");
}
