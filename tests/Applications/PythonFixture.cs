using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Applications;

/// <summary>
/// Scenarios of a Python program, run by the system's interpreter or the PATH's, whichever has the modules first.
/// PYTHONPATH leads to other versions of them than the installed ones.
/// </summary>
internal abstract class PythonFixture(ServerKind kind, string program, params string[] modules) : ScenarioFixture(kind)
{
    private static readonly string[] s_interpreters = ["/usr/bin/python3", "python3"];

    private string? _interpreter;

    [OneTimeSetUp]
    public void FindInterpreter()
    {
        _interpreter = s_interpreters.FirstOrDefault(HasModules);
        if (_interpreter is null)
        {
            Assert.Ignore($"No Python here has {string.Join(" and ", modules)}: ./test.sh installs them.");
        }
    }

    protected override (int ExitCode, string Output) Start(string scenario) =>
        ProgramRun.Run(
            _interpreter!,
            [
                "-B", // no __pycache__ among the sources
                RepositoryRoot.Combine("tests", "Applications", "Python", program),
                .. scenario == "list" ? [scenario] : new[] { Port, scenario },
            ]);

    private bool HasModules(string interpreter) =>
        ProgramRun.Find(interpreter) is { } path
        && ProgramRun.Run(path, ["-c", $"import {string.Join(", ", modules)}"]).ExitCode == 0;
}
