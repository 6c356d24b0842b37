using System.Diagnostics;
using System.Text;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Hosting;

/// <summary>
/// The built server program as a process, with what it writes. Killed when disposed, if it still runs.
/// </summary>
internal sealed class ServerProcess : IDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromMilliseconds(Patience.Ms);

    private readonly Process _process;
    private readonly StringBuilder _output = new();
    private readonly StringBuilder _errors = new();

    /// <summary>Starts it with arguments, through a shell that first runs a command such as <c>ulimit</c>.</summary>
    public ServerProcess(string shellCommand, params string[] arguments)
    {
        var start = new ProcessStartInfo("/bin/sh")
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = TestContext.CurrentContext.WorkDirectory,
            Environment = { ["STRATA_SAVE"] = "" },
        };
        var program = Path.Combine(TestContext.CurrentContext.TestDirectory, "strata-server");
        foreach (var argument in (string[])["-c", $"{shellCommand}; exec \"$0\" \"$@\"", program, .. arguments])
        {
            start.ArgumentList.Add(argument);
        }

        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += (_, line) => Append(_output, line.Data);
        _process.ErrorDataReceived += (_, line) => Append(_errors, line.Data);
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    public string Output => Read(_output);

    public string Errors => Read(_errors);

    public void WaitForOutput(string text)
    {
        var time = Stopwatch.StartNew();
        while (!Output.Contains(text, StringComparison.Ordinal))
        {
            Assert.That(time.Elapsed, Is.LessThan(s_patience), $"no '{text}' in:\n{Output}\n{Errors}");
            Assert.That(_process.HasExited, Is.False, $"ended before '{text}':\n{Output}\n{Errors}");
            Thread.Sleep(10);
        }
    }

    /// <summary>Waits for either; whether the text came, and not the end.</summary>
    public bool WaitForExitOrOutput(string text)
    {
        SpinWait.SpinUntil(() => _process.HasExited || Output.Contains(text, StringComparison.Ordinal), s_patience);
        return Output.Contains(text, StringComparison.Ordinal);
    }

    /// <summary>Sends a signal, by its name for kill.</summary>
    public void Signal(string name)
    {
        using var kill = Process.Start("kill", [$"-{name}", $"{_process.Id}"]);
        kill.WaitForExit();
    }

    public int WaitForExit()
    {
        Assert.That(_process.WaitForExit(s_patience), Is.True, "does not end");

        // Without a time limit it also waits for the last of the output.
        _process.WaitForExit();
        return _process.ExitCode;
    }

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.Kill();
        }

        _process.Dispose();
    }

    private static void Append(StringBuilder text, string? line)
    {
        lock (text)
        {
            text.Append(line is null ? "" : line + "\n");
        }
    }

    private static string Read(StringBuilder text)
    {
        lock (text)
        {
            return text.ToString();
        }
    }
}
