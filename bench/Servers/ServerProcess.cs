using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Strata.Bench.Servers;

/// <summary>
/// A server that this benchmark started, in a folder of its own. It is stopped and the folder removed on disposal; it
/// is stopped also when the benchmark itself is told to end (SIGTERM, Ctrl-C).
/// </summary>
internal sealed class ServerProcess : IDisposable
{
    private const int StartTimeoutMs = 30_000;
    private const int StopTimeoutMs = 10_000;
    private const int RetryMs = 1;
    private const string LogName = "server.log";

    private readonly Process _process;
    private readonly DirectoryInfo _directory;
    private readonly string _name;
    private readonly ReservedPort? _port;

    private ServerProcess(ServerSpec spec, string? cpus, int workers)
    {
        _name = spec.Name;
        _port = spec.Port == 0 ? ReservedPort.Take() : null;
        Port = _port?.Number ?? spec.Port;
        _directory = Directory.CreateTempSubdirectory("strata-bench-");
        var command = spec.CommandFor(Port, _directory.FullName, workers);
        // With exec, the shell, taskset and the server are one process after another under the same id.
        var pinned = cpus is null ? command : $"taskset -c {cpus} {command}";
        var start = new ProcessStartInfo("/bin/sh", ["-c", $"exec {pinned} >{LogName} 2>&1 </dev/null"])
        {
            WorkingDirectory = _directory.FullName,
        };
        var clock = Stopwatch.StartNew();
        _process = Process.Start(start)!;
        AppDomain.CurrentDomain.ProcessExit += StopAtExit;
        try
        {
            AwaitPong(clock);
        }
        catch (BenchException)
        {
            Dispose();
            throw;
        }

        StartMs = clock.Elapsed.TotalMilliseconds;
    }

    public int Port { get; }

    /// <summary>From the command to the first PONG.</summary>
    public double StartMs { get; }

    /// <summary>User and system time that the process has used, in steps of 10 ms (/proc/PID/stat).</summary>
    public TimeSpan CpuTime
    {
        get
        {
            ThrowIfGone();
            return _process.TotalProcessorTime;
        }
    }

    /// <summary>Resident memory now.</summary>
    public long ResidentBytes
    {
        get
        {
            ThrowIfGone();
            _process.Refresh();
            return _process.WorkingSet64;
        }
    }

    /// <summary>Memory of the process and of those it has forked, in which what they share counts once (the
    /// proportional set size of /proc/PID/smaps_rollup); of a process without children what is resident.</summary>
    public long SharedOnceBytes
    {
        get
        {
            var children = ChildrenOf(_process.Id);
            return children.Length == 0 ? ResidentBytes : children.Append(_process.Id).Sum(ProportionalBytes);
        }
    }

    /// <summary>Starts a server and waits until it answers PING.</summary>
    /// <param name="spec">The server.</param>
    /// <param name="cpus">CPUs to pin it to, as taskset takes them; null leaves it free.</param>
    /// <param name="workers">What stands for {workers} in the command.</param>
    /// <exception cref="BenchException">It ended, or did not answer in time; its last words are in it.</exception>
    public static ServerProcess Start(ServerSpec spec, string? cpus, int workers = 1) => new(spec, cpus, workers);

    public void Dispose()
    {
        AppDomain.CurrentDomain.ProcessExit -= StopAtExit;
        Stop();
        _process.Dispose();
        _port?.Dispose();
        _directory.Delete(recursive: true);
    }

    private void StopAtExit(object? sender, EventArgs e) => Stop();

    private void Stop()
    {
        if (_process.HasExited)
        {
            return;
        }

        using (var kill = Process.Start("/bin/sh", ["-c", $"kill -TERM {_process.Id}"]))
        {
            kill.WaitForExit();
        }

        if (!_process.WaitForExit(StopTimeoutMs))
        {
            _process.Kill();
            _process.WaitForExit();
        }
    }

    private void AwaitPong(Stopwatch clock)
    {
        while (!AnswersPing())
        {
            if (_process.HasExited)
            {
                throw new BenchException(
                    $"{_name} ended with exit code {_process.ExitCode} at its start: {LastWords()}");
            }

            if (clock.ElapsedMilliseconds > StartTimeoutMs)
            {
                throw new BenchException(
                    $"{_name} did not answer PING on port {Port} within {StartTimeoutMs / 1000} s: {LastWords()}");
            }

            Thread.Sleep(RetryMs);
        }
    }

    private bool AnswersPing()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
        {
            ReceiveTimeout = StartTimeoutMs,
        };
        try
        {
            socket.Connect(IPAddress.Loopback, Port);
            socket.Send("*1\r\n$4\r\nPING\r\n"u8);
            var reply = new byte[64];
            var received = socket.Receive(reply);
            // A server that is still loading answers an error.
            return reply.AsSpan(0, received).StartsWith("+PONG"u8);
        }
        catch (SocketException)
        {
            // Not listening yet.
            return false;
        }
    }

    private static int[] ChildrenOf(int process)
    {
        var id = process.ToString(CultureInfo.InvariantCulture);
        var text = File.ReadAllText($"/proc/{id}/task/{id}/children");
        var children = text.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return Array.ConvertAll(children, child => int.Parse(child, CultureInfo.InvariantCulture));
    }

    private static long ProportionalBytes(int process)
    {
        const string Label = "Pss:";
        try
        {
            var line = File.ReadLines($"/proc/{process.ToString(CultureInfo.InvariantCulture)}/smaps_rollup")
                .First(line => line.StartsWith(Label, StringComparison.Ordinal));
            var kilobytes = line[Label.Length..].Replace("kB", "", StringComparison.Ordinal);
            return 1024 * long.Parse(kilobytes, CultureInfo.InvariantCulture);
        }
        catch (Exception e) when (e is IOException or InvalidOperationException)
        {
            return 0; // A child that has ended meanwhile.
        }
    }

    private void ThrowIfGone()
    {
        if (_process.HasExited)
        {
            throw new BenchException(
                $"{_name} ended with exit code {_process.ExitCode} while it was being measured: {LastWords()}");
        }
    }

    private string LastWords()
    {
        const int Shown = 800;
        var log = File.ReadAllText(Path.Combine(_directory.FullName, LogName)).Trim();
        return log.Length == 0 ? "it wrote no log." : log[^Math.Min(log.Length, Shown)..];
    }
}
