using BenchmarkDotNet.Running;

namespace Strata.Bench.Micro;

/// <summary><c>strata-bench micro</c>: hands everything behind the verb to BenchmarkDotNet.</summary>
internal static class MicroCommand
{
    /// <summary>Returns 1 when no benchmark ran or one failed, unless only help or a list was asked for.</summary>
    public static int Run(string[] arguments, TextWriter output)
    {
        if (arguments.Any(a => a is "--help" or "-h"))
        {
            output.WriteLine(BenchHelp.ExampleOf(typeof(MicroOptions)));
        }

        // In this process: a published program has no project that BenchmarkDotNet could build.
        string[] inProcess = [.. arguments, "--inProcess"];
        var summaries = BenchmarkSwitcher.FromAssembly(typeof(MicroCommand).Assembly).Run(inProcess).ToList();
        var asksOnly = arguments.Any(a => a is "--list" or "--help" or "-h" or "--version" or "--info");
        var failed = summaries.Count == 0 || summaries.Exists(s => s.HasCriticalValidationErrors
            || s.Reports.Any(r => !r.Success));
        return !asksOnly && failed ? 1 : 0;
    }
}
