using System.Globalization;
using Strata.Bench.Servers;
using Strata.Tests.Support;

namespace Strata.Tests.Image;

/// <summary>The image's server, started by the image's own entry point as the image's own user.</summary>
internal sealed class ImageServer : IDisposable
{
    private readonly ReservedPort _port = ReservedPort.Take();
    private readonly ProgramRun _run;

    /// <summary>Starts it and waits until it is ready.</summary>
    public ImageServer(ImageStorage storage, IEnumerable<string> volumes, params string[] flags)
    {
        var entry = storage.Configuration.GetProperty("Entrypoint").EnumerateArray().Select(word => word.GetString()!);
        string[] command =
        [
            .. entry,
            .. (string[])["--bind", "127.0.0.1", "--port", _port.Number.ToString(CultureInfo.InvariantCulture)],
            .. flags,
        ];
        _run = ProgramRun.Start("buildah", storage.RunArguments(volumes, command));
        try
        {
            var pid = _run.WaitForLine("starting, pid ").Split(',')[0];
            Pid = int.Parse(pid, CultureInfo.InvariantCulture);
            _run.WaitForLine("Ready to accept connections");
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    /// <summary>Its number among the machine's processes: a container's namespace of them is not to be had here.
    /// </summary>
    public int Pid { get; }

    public string Output => _run.Output;

    public RespConnection Connect() => RespConnection.Connect(_port.Number);

    /// <summary>Runs a program in the server's container as its user, as `docker exec` and a probe do.</summary>
    public (int ExitCode, string Output) Execute(params string[] command)
    {
        var uid = UserOf(Pid);
        return ProgramRun.Run("nsenter",
        [
            "--target", Pid.ToString(CultureInfo.InvariantCulture), "--mount", "--root", "--wd",
            "--setgid", uid, "--setuid", uid, "--", .. command,
        ]);
    }

    /// <summary>A line of what the kernel tells of the server's process, without its name.</summary>
    public string StatusOf(string name) => ReadStatus(Pid, name);

    /// <summary>Sends a signal to the server and waits for the end of the container.</summary>
    /// <returns>Its exit code.</returns>
    public int End(int signal)
    {
        Posix.Signal(Pid, signal);
        return _run.WaitForExit();
    }

    public void Dispose()
    {
        _run.Terminate(); // buildah ends what runs in the container, which would outlive it if it were killed.
        _run.Dispose();
        _port.Dispose();
    }

    private static string UserOf(int pid) => ReadStatus(pid, "Uid").Split('\t')[0];

    private static string ReadStatus(int pid, string name)
    {
        var start = $"{name}:";
        var line = File.ReadLines($"/proc/{pid}/status").Single(l => l.StartsWith(start, StringComparison.Ordinal));
        return line[start.Length..].Trim();
    }
}
