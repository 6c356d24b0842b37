using System.Diagnostics;
using System.Text;
using NUnit.Framework;

namespace Strata.Tests.Support;

/// <summary>
/// A program started by a test, whose output is kept for failure messages. Disposing kills it, with its children, if it
/// still runs. The limits are there for what hangs; no test measures by them.
/// </summary>
internal sealed class ProgramRun : IDisposable
{
    private const int HangMs = 120_000;

    private readonly Process _process;
    private readonly StringBuilder _output = new();

    private ProgramRun(Process process)
    {
        _process = process;
        _process.OutputDataReceived += (_, line) => Keep(line.Data);
        _process.ErrorDataReceived += (_, line) => Keep(line.Data);
    }

    /// <summary>What it wrote to stdout and stderr so far.</summary>
    public string Output
    {
        get
        {
            lock (_output)
            {
                return _output.ToString();
            }
        }
    }

    /// <summary>The path of a program that PATH leads to; null where there is none.</summary>
    public static string? Find(string program) =>
        (Environment.GetEnvironmentVariable("PATH") ?? "").Split(':')
            .Select(folder => Path.Combine(folder, program))
            .FirstOrDefault(File.Exists);

    /// <summary>Starts a program; the variables are added to the environment of the tests.</summary>
    public static ProgramRun Start(
        string program, IEnumerable<string> arguments, params (string Name, string Value)[] variables)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = Path.GetTempPath(),
        };
        foreach (var (name, value) in variables)
        {
            start.Environment[name] = value;
        }

        var process = new Process { StartInfo = start };
        var run = new ProgramRun(process);
        process.Start();
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        return run;
    }

    /// <summary>Runs a program to its end.</summary>
    /// <returns>The exit code and everything it wrote.</returns>
    public static (int ExitCode, string Output) Run(
        string program, IEnumerable<string> arguments, params (string Name, string Value)[] variables) =>
        RunWithin(HangMs, program, arguments, variables);

    /// <summary>Runs a program that may take longer than others.</summary>
    /// <inheritdoc cref="Run"/>
    public static (int ExitCode, string Output) RunWithin(
        int hangMs, string program, IEnumerable<string> arguments, params (string Name, string Value)[] variables)
    {
        using var run = Start(program, arguments, variables);
        return (run.WaitForExit(hangMs), run.Output);
    }

    /// <summary>Waits for the end of the program.</summary>
    /// <returns>Its exit code.</returns>
    public int WaitForExit(int hangMs = HangMs)
    {
        if (!_process.WaitForExit(hangMs))
        {
            Assert.Fail($"{_process.StartInfo.FileName} didn't end within {hangMs} ms; it wrote:\n{Output}");
        }

        _process.WaitForExit(); // without a time limit this also waits for the last lines of output
        return _process.ExitCode;
    }

    /// <summary>Waits until the output holds a mark, and returns what follows the mark on its line.</summary>
    public string WaitForLine(string mark)
    {
        var deadline = Environment.TickCount64 + HangMs;
        while (!_process.HasExited && Environment.TickCount64 < deadline)
        {
            var output = Output;
            var at = output.IndexOf(mark, StringComparison.Ordinal);
            var end = at < 0 ? -1 : output.IndexOf('\n', at);
            if (end >= 0)
            {
                return output[(at + mark.Length)..end].Trim();
            }

            Thread.Sleep(20);
        }

        throw new AssertionException($"The program ended or hangs without a word of '{mark}'; it wrote:\n{Output}");
    }

    /// <summary>Asks a program that still runs to end, and waits until it has: for one that would leave something
    /// behind when killed.</summary>
    public void Terminate()
    {
        if (!_process.HasExited)
        {
            Posix.Signal(_process.Id, Posix.SigTerm);
            WaitForExit();
        }
    }

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.Kill(entireProcessTree: true);
        }

        _process.WaitForExit();
        _process.Dispose();
    }

    private void Keep(string? line)
    {
        if (line is null)
        {
            return;
        }

        lock (_output)
        {
            _output.AppendLine(line);
        }
    }
}
