using System.Collections.Immutable;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Storage.Runtime;

namespace Strata.Server.Clients;

/// <summary>
/// What stands between one worker's clients and their commands: the worker's view of <see cref="ClientGates"/>, and the
/// sessions that wait for the end of a pause. Worker's thread only. As a work item it lets the waiting go on.
/// </summary>
internal sealed class WorkerGates : WorkItem
{
    private readonly ClientWorker _worker;
    private CommandPause? _pause;
    private ImmutableArray<Session> _monitors = [];
    private List<Session> _waiting = [];

    public WorkerGates(ClientWorker worker)
    {
        _worker = worker;
    }

    /// <summary>Whether commands must be looked at one by one.</summary>
    public bool AreActive { get; private set; }

    /// <summary>Clients that wait for the end of a pause; any thread may read it.</summary>
    public int WaitingCount => _waiting.Count;

    /// <summary>Takes over the state of the whole server.</summary>
    public void Adopt()
    {
        _pause = _worker.Services.Gates.Pause;
        _monitors = _worker.Services.Gates.Monitors;
        if (_pause != null)
        {
            _worker.Worker.TickMs = TickMs(_worker.Worker.TickMs);
        }

        Update();
        LetWaitingRetry();
    }

    /// <summary>Whether a command must wait; the session is parked then, until the pause ends.</summary>
    public bool Holds(Session session, CommandFlags flags)
    {
        // Monitors are exempt, as Redis's replicas are.
        if (_pause == null || session.IsMonitor || session.IsLoader || !_pause.Holds(flags, _worker.Worker.NowMs))
        {
            return false;
        }

        session.WaitForUnpause();
        _waiting.Add(session);
        return true;
    }

    /// <summary>A waiting session has gone.</summary>
    public void Forget(Session session) => _waiting.Remove(session);

    /// <summary>Ends a pause whose time has come.</summary>
    public void OnTick()
    {
        if (_pause != null && _pause.UntilMs <= _worker.Worker.NowMs)
        {
            _pause = null;
            Update();
            LetWaitingRetry();
        }
    }

    /// <summary>Milliseconds to the next tick: the usual ones, or fewer when a pause ends before.</summary>
    public int TickMs(int usualMs)
        => _pause == null ? usualMs : (int)Math.Clamp(_pause.UntilMs - _worker.Worker.NowMs, 1, usualMs);

    /// <summary>Shows an executed command to all monitors.</summary>
    public void Feed(Session session, CommandRow row, in Request request)
    {
        if (_monitors.IsEmpty || session.IsLoader || row.Has(CommandFlags.Admin | CommandFlags.SkipMonitor))
        {
            return;
        }

        Show(session, row, request, isOfScript: false);
    }

    /// <summary>Shows the monitors a script, or a command that it calls.</summary>
    /// <param name="session">Whose script it is.</param>
    /// <param name="row">The command.</param>
    /// <param name="request">Its arguments.</param>
    /// <param name="isCalled">Whether the script calls it.</param>
    public void FeedScript(Session session, CommandRow row, in Request request, bool isCalled)
    {
        if (!_monitors.IsEmpty && !session.IsLoader && !row.Has(CommandFlags.Admin)
            && row.Has(CommandFlags.SkipMonitor) != isCalled)
        {
            Show(session, row, request, isCalled);
        }
    }

    private void Show(Session session, CommandRow row, in Request request, bool isOfScript)
    {
        var now = _worker.Server.Platform.Clock.GetUtcNow().UtcDateTime;
        var line = MonitorLine.Format(session, row, request, now, isOfScript);
        foreach (var monitor in _monitors)
        {
            if (monitor == session)
            {
                ShowItself(session, line);
            }
            else
            {
                // By the inbox on this worker, too: what others left there was executed before.
                monitor.Worker.Post(() => MonitorLine.Deliver(monitor, line));
            }
        }
    }

    /// <inheritdoc/>
    public override void Run(Worker worker)
    {
        var waiting = _waiting;
        _waiting = [];
        foreach (var session in waiting)
        {
            if (session.IsPaused)
            {
                session.Resume();
            }
        }
    }

    /// <summary>A monitor's own command stands behind its reply, in the buffer that is being written.</summary>
    private void ShowItself(Session session, byte[] line)
    {
        if (session.IsMonitor && !session.IsMuted)
        {
            _worker.Reply.Raw(line);
        }
    }

    /// <summary>The waiting sessions look at their commands again, later in the turn: another session's command may be
    /// under way now.</summary>
    private void LetWaitingRetry()
    {
        if (_waiting.Count > 0)
        {
            _worker.Worker.PostOnce(this);
        }
    }

    private void Update()
    {
        AreActive = _pause != null || !_monitors.IsEmpty;
        _worker.UpdateMayRun();
    }
}
