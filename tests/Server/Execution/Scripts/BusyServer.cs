using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Execution.Scripts;

/// <summary>A server on which one client executes a slow script, and others want something meanwhile.</summary>
internal sealed class BusyServer : IDisposable
{
    public const string Endless = "while true do end";
    public const string Busy =
        "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.";

    public const string Killed = "ERR Script killed by user with SCRIPT KILL";
    private readonly ServerInProcess _server;
    private readonly RespConnection[] _others;
    private bool _isStopped;

    public BusyServer(int workers, params string[] flags)
    {
        _server = new ServerInProcess(
            device: null, ["--workers", $"{workers}", "--busy-reply-threshold", "20", .. flags]);
        Caller = _server.Connect();
        _others = [.. Enumerable.Range(0, workers).Select(_ => _server.Connect())];
        PingAll(); // From here on each has been taken in.
    }

    public ServerInProcess InProcess => _server;

    /// <summary>The client of the slow script.</summary>
    public RespConnection Caller { get; }

    /// <summary>Clients of every worker, since they are dealt out in turn; the last one of the script's.</summary>
    public IReadOnlyList<RespConnection> Others => _others;

    /// <summary>One that lives on the script's worker.</summary>
    public RespConnection Neighbour => _others[^1];

    /// <summary>Executes a script, and returns when it is slow.</summary>
    public void Begin(string script = Endless)
    {
        Caller.Send("EVAL", script, "0");
        AwaitSlow();
    }

    /// <summary>Returns when a script that was begun is slow, and each worker knows.</summary>
    public void AwaitSlow()
        => Until(() => _server.Server.Services.Scripts.IsAnySlow
            && _server.Server.Workers.All(worker => !worker.MayRun));

    public static void Until(Func<bool> condition)
        => Assert.That(condition, Is.True.After(Patience.Ms, 1));

    /// <summary>Ends the script by SCRIPT KILL, and reads its reply.</summary>
    public void Kill(RespConnection by)
    {
        Assert.That(by.Call("SCRIPT", "KILL").Text, Is.EqualTo("OK"));
        Assert.That(Caller.ReadReply().Text, Does.StartWith(Killed));
        Until(() => !_server.Server.Services.Scripts.IsAnySlow);
        PingAll();
    }

    /// <summary>Stops the server, which returns when it has.</summary>
    public void Stop()
    {
        _isStopped = true;
        _server.Dispose();
    }

    public void Dispose()
    {
        foreach (var script in _server.Server.Services.Scripts.Running)
        {
            if (script.Current != 0)
            {
                script.Abandon(); // The test has failed, and nothing is to wait for it.
            }
        }

        Caller.Dispose();
        Array.ForEach(_others, other => other.Dispose());
        if (!_isStopped)
        {
            _server.Dispose();
        }
    }

    private void PingAll()
    {
        foreach (var other in _others)
        {
            Assert.That(other.Call("PING").Text, Is.EqualTo("PONG"));
        }
    }
}
