using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Applications;

/// <summary>Scenarios of a Ruby program over a library of the system's, or over one that RUBYLIB leads to.</summary>
internal abstract class RubyFixture(ServerKind kind, string program, string library) : ScenarioFixture(kind)
{
    [OneTimeSetUp]
    public void RequireLibrary()
    {
        if (ProgramRun.Find("ruby") is null
            || ProgramRun.Run("ruby", ["-e", $"require '{library}'"]).ExitCode != 0)
        {
            Assert.Ignore($"There is no Ruby with {library} here: ./test.sh installs them.");
        }
    }

    protected override (int ExitCode, string Output) Start(string scenario) =>
        ProgramRun.Run(
            "ruby",
            [
                RepositoryRoot.Combine("tests", "Applications", "Ruby", program),
                .. scenario == "list" ? [scenario] : new[] { Port, scenario },
            ]);
}
