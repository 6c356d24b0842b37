using System.Globalization;
using System.Reflection;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Applications;

/// <summary>
/// Tests that each run one scenario of a program in another language, in a process of its own. The program's exit code
/// tells how it went.
/// </summary>
internal abstract class ScenarioFixture(ServerKind kind) : ApplicationFixture(kind)
{
    private const int TooOld = 77;

    protected string Port => Server.Port.ToString(CultureInfo.InvariantCulture);

    [Test]
    public void Every_scenario_of_the_program_is_a_test()
    {
        var (exitCode, output) = Start("list");
        var tests = GetType().GetMethods().SelectMany(method => method.GetCustomAttributes<TestCaseAttribute>());

        Assert.That(exitCode, Is.Zero, output);
        Assert.That(
            tests.Select(test => test.Arguments[0]),
            Is.EquivalentTo(output.Split('\n', StringSplitOptions.RemoveEmptyEntries)));
    }

    /// <summary>Runs one scenario, which must succeed.</summary>
    protected void RunScenario(string name)
    {
        var (exitCode, output) = Start(name);
        if (exitCode == TooOld)
        {
            Assert.Ignore(output);
        }

        Assert.That(exitCode, Is.Zero, output);
    }

    /// <summary>Starts the program with a scenario's name, or with "list", and waits for its end.</summary>
    protected abstract (int ExitCode, string Output) Start(string scenario);
}
