using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using NUnit.Framework;

namespace Strata.Tests.Support;

/// <summary>
/// A server started by a test: own process, own temporary folder, a free port of 127.0.0.1. Its output is kept
/// for failure messages. Disposing kills what still runs and removes the folder.
/// </summary>
public sealed class ServerProcess : IDisposable
{
    private const int ReadyTimeoutMs = 15_000;
    private const int StopTimeoutMs = 15_000;
    private const int Attempts = 3;

    private readonly Process _process;
    private readonly StringBuilder _output = new();

    private ServerProcess(ServerKind kind, Process process, IPEndPoint endPoint, string folder)
    {
        Kind = kind;
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

    /// <summary>Launches the program of a kind on a port, without waiting for it.</summary>
    public static ServerProcess Launch(ServerKind kind, int port, params string[] flags) =>
        Launch(kind, ProgramOf(kind), port, flags);

    /// <summary>The program of a kind; fails or ignores the running test where there is none.</summary>
    public static string ProgramOf(ServerKind kind) =>
        kind == ServerKind.Redis ? RedisProcess.Program() : StrataProcess.Program();

    /// <summary>Starts a server of a kind on a free port and waits until it answers.</summary>
    public static ServerProcess Start(ServerKind kind, params string[] flags) =>
        kind == ServerKind.Redis ? RedisProcess.Start(flags) : StrataProcess.Start(flags);

    /// <summary>
    /// Starts a program and waits until it answers on its port. Another process may take the free port in
    /// between; then another one is tried.
    /// </summary>
    public static ServerProcess Start(ServerKind kind, string program, IReadOnlyList<string> flags)
    {
        for (var attempt = 1; ; attempt++)
        {
            var server = Launch(kind, program, FreePort(), flags);
            if (server.WaitUntilReady())
            {
                return server;
            }

            var output = server.Output;
            server.Dispose();
            if (attempt == Attempts || !output.Contains("ddress already in use", StringComparison.Ordinal))
            {
                Assert.Fail($"{program} {string.Join(' ', flags)} didn't answer within {ReadyTimeoutMs} ms:\n{output}");
            }
        }
    }

    /// <summary>Starts a program without waiting for it, for tests of servers that must refuse to start.</summary>
    public static ServerProcess Launch(
        ServerKind kind, string program, int port, IReadOnlyList<string> flags, IPAddress? bind = null)
    {
        var address = bind ?? IPAddress.Loopback;
        var folder = Directory.CreateTempSubdirectory("strata-test-").FullName;
        var start = new ProcessStartInfo(program)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = folder,
        };
        string[] place = ["--bind", address.ToString()];
        if (!flags.Contains("--port"))
        {
            place = [.. place, "--port", port.ToString(CultureInfo.InvariantCulture)];
        }

        foreach (var argument in place.Concat(flags))
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
        var server = new ServerProcess(kind, process, new IPEndPoint(address, port), folder);
        process.Start();
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        return server;
    }

    public static int FreePort()
    {
        using var probe = new TcpListener(IPAddress.Loopback, 0);
        probe.Start();
        return ((IPEndPoint)probe.LocalEndpoint).Port;
    }

    public RespConnection Connect(int timeoutMs = RespConnection.DefaultTimeoutMs) =>
        RespConnection.Connect(EndPoint, timeoutMs);

    /// <summary>Waits until the server answers on its port.</summary>
    /// <returns>False when it ended, or didn't answer in time.</returns>
    public bool WaitUntilReady()
    {
        var deadline = Environment.TickCount64 + ReadyTimeoutMs;
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
    public long ResidentBytes()
    {
        var line = File.ReadLines($"/proc/{Pid}/status").First(l => l.StartsWith("VmRSS:", StringComparison.Ordinal));
        var kilobytes = line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1];
        return long.Parse(kilobytes, CultureInfo.InvariantCulture) * 1024;
    }

    /// <summary>Asks for a graceful stop and requires that it ends in time with exit code 0.</summary>
    public void StopGracefully()
    {
        Terminate();
        var code = WaitForExit(StopTimeoutMs);
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
    public int WaitForExit(int timeoutMs)
    {
        if (!_process.WaitForExit(timeoutMs))
        {
            Assert.Fail($"The server (pid {Pid}) didn't end within {timeoutMs} ms; it wrote:\n{Output}");
        }

        _process.WaitForExit(); // without a time limit this also waits for the last lines of output
        return _process.ExitCode;
    }

    public void Dispose()
    {
        Kill();
        _process.Dispose();
        Directory.Delete(Folder, recursive: true);
    }

    /// <summary>Any reply will do: a server with a password answers PING with an error, and is up.</summary>
    private bool Answers()
    {
        try
        {
            using var connection = Connect(timeoutMs: 2_000);
            connection.Call("PING");
            return true;
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
}
