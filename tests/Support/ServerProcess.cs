using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using NUnit.Framework;
using Strata.Bench.Servers;

namespace Strata.Tests.Support;

/// <summary>
/// A server started by a test: own process, own temporary folder, a port of 127.0.0.1 that nobody else is given while
/// this lives. Its output is kept for failure messages. Disposing kills what still runs and removes the folder.
/// </summary>
public sealed class ServerProcess : IDisposable
{
    private readonly Process _process;
    private readonly ReservedPort? _port;
    private readonly StringBuilder _output = new();

    private ServerProcess(ServerKind kind, Process process, IPEndPoint endPoint, ReservedPort? port, string folder)
    {
        Kind = kind;
        _port = port;
        EndPoint = endPoint;
        Folder = folder;
        _process = process;
        _process.OutputDataReceived += (_, line) => Keep(line.Data);
        _process.ErrorDataReceived += (_, line) => Keep(line.Data);
    }

    public ServerKind Kind { get; }

    public IPEndPoint EndPoint { get; }

    public int Port => EndPoint.Port;

    /// <summary>The server's working folder, removed with it.</summary>
    public string Folder { get; }

    public int Pid => _process.Id;

    public bool HasExited => _process.HasExited;

    /// <summary>What the server wrote to stdout and stderr so far.</summary>
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

    /// <summary>Launches the program of a kind without waiting for it, for servers that must refuse to start.</summary>
    public static ServerProcess Launch(ServerKind kind, params string[] flags) =>
        Launch(kind, [ProgramOf(kind)], flags);

    /// <summary>The same on a port that may be taken.</summary>
    public static ServerProcess LaunchOn(ServerKind kind, int port, params string[] flags) =>
        Launch(kind, [ProgramOf(kind)], flags, port);

    /// <summary>The program of a kind; fails or ignores the running test where there is none.</summary>
    public static string ProgramOf(ServerKind kind) =>
        kind == ServerKind.Redis ? RedisProcess.Program() : StrataProcess.Program();

    /// <summary>Starts a server of a kind on a free port and waits until it answers.</summary>
    public static ServerProcess Start(ServerKind kind, params string[] flags) =>
        kind == ServerKind.Redis ? RedisProcess.Start(flags) : StrataProcess.Start(flags);

    /// <summary>Starts a program, named with the arguments that come before a server's, and waits until it answers.
    /// </summary>
    public static ServerProcess Start(ServerKind kind, IReadOnlyList<string> program, IReadOnlyList<string> flags)
    {
        var server = Launch(kind, program, flags);
        if (server.WaitUntilReady())
        {
            return server;
        }

        var output = server.Output;
        server.Dispose();
        throw new AssertionException($"{string.Join(' ', [.. program, .. flags])} doesn't answer; it wrote:\n{output}");
    }

    /// <summary>Starts a program without waiting for it.</summary>
    /// <param name="kind">What it is.</param>
    /// <param name="program">The program, and the arguments that come before a server's.</param>
    /// <param name="flags">The server's flags but for port and address; with a --port among them they have all.</param>
    /// <param name="port">The port; by default one that is reserved for it.</param>
    /// <param name="bind">The address; by default 127.0.0.1.</param>
    public static ServerProcess Launch(
        ServerKind kind,
        IReadOnlyList<string> program,
        IReadOnlyList<string> flags,
        int? port = null,
        IPAddress? bind = null)
    {
        var reserved = port is null ? ReservedPort.Take() : null;
        var endPoint = new IPEndPoint(bind ?? IPAddress.Loopback, port ?? reserved!.Number);
        var folder = Directory.CreateTempSubdirectory("strata-test-").FullName;
        var start = new ProcessStartInfo(program[0])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = folder,
        };
        string[] place = ["--bind", endPoint.Address.ToString()];
        if (!flags.Contains("--port"))
        {
            place = [.. place, "--port", endPoint.Port.ToString(CultureInfo.InvariantCulture)];
        }

        foreach (var argument in program.Skip(1).Concat(place).Concat(flags))
        {
            start.ArgumentList.Add(argument);
        }

        // Settings of the developer's own shell must not reach a server under test.
        foreach (var name in start.Environment.Keys.Where(k =>
            k.StartsWith("STRATA_", StringComparison.Ordinal)).ToList())
        {
            start.Environment.Remove(name);
        }

        var process = new Process { StartInfo = start };
        var server = new ServerProcess(kind, process, endPoint, reserved, folder);
        process.Start();
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        return server;
    }

    public RespConnection Connect(int timeoutMs = RespConnection.DefaultTimeoutMs) =>
        RespConnection.Connect(EndPoint, timeoutMs);

    /// <summary>Waits until the server answers on its port.</summary>
    /// <returns>False when it ended, or didn't answer in time.</returns>
    public bool WaitUntilReady()
    {
        var deadline = Environment.TickCount64 + Patience.Ms;
        while (Environment.TickCount64 < deadline && !_process.HasExited)
        {
            if (Answers())
            {
                return !_process.HasExited;
            }

            Thread.Sleep(20);
        }

        return false;
    }

    /// <summary>The resident memory of the process, in bytes.</summary>
    public long ResidentBytes() => StatusBytes("VmRSS:");

    /// <summary>The most that <see cref="ResidentBytes"/> ever was.</summary>
    public long PeakResidentBytes() => StatusBytes("VmHWM:");

    /// <summary>Asks for a graceful stop and requires that it ends in time with exit code 0.</summary>
    public void StopGracefully()
    {
        Terminate();
        var code = WaitForExit();
        Assert.That(code, Is.Zero, $"exit code after SIGTERM; the server wrote:\n{Output}");
    }

    public void Terminate() => Posix.Signal(Pid, Posix.SigTerm);

    /// <summary>kill -9: no chance to finish anything.</summary>
    public void Kill()
    {
        if (!_process.HasExited)
        {
            _process.Kill();
        }

        _process.WaitForExit();
    }

    /// <summary>Waits for the end of the process, however it came about.</summary>
    /// <returns>The exit code.</returns>
    public int WaitForExit()
    {
        if (!_process.WaitForExit(Patience.Ms))
        {
            Assert.Fail($"The server (pid {Pid}) didn't end within {Patience.Ms} ms; it wrote:\n{Output}");
        }

        _process.WaitForExit(); // without a time limit this also waits for the last lines of output
        return _process.ExitCode;
    }

    public void Dispose()
    {
        Kill();
        _process.Dispose();
        _port?.Dispose();
        Directory.Delete(Folder, recursive: true);
    }

    /// <summary>Any reply will do, but that it still loads its data: a server with a password answers PING with an
    /// error, and is up.</summary>
    private bool Answers()
    {
        try
        {
            using var connection = Connect();
            return !connection.Call("PING").Text.StartsWith("LOADING", StringComparison.Ordinal);
        }
        catch (Exception e) when (e is SocketException or TimeoutException or EndOfStreamException)
        {
            return false;
        }
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

    private long StatusBytes(string name)
    {
        var line = File.ReadLines($"/proc/{Pid}/status").First(l => l.StartsWith(name, StringComparison.Ordinal));
        var kilobytes = line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1];
        return long.Parse(kilobytes, CultureInfo.InvariantCulture) * 1024;
    }
}
