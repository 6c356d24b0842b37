using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Diagnostics.Traffic;
using Strata.Server.Diagnostics.Traffic.Curve;
using Strata.Server.Execution.Runs;
using Strata.Server.Resp;
using Strata.Storage.Index;

namespace Strata.Server.Execution.Accounting;

/// <summary>
/// Tells what the worker notes of keys (<see cref="KeyTraffic"/>) which keys commands have used. Each command comes
/// here once, when it has been executed, however often that was tried, whatever it had to wait for and whoever's thread
/// it was executed on: those of runs together, others one by one, those of transactions and scripts among them.
/// </summary>
internal sealed unsafe class KeyAccount
{
    private const int MsPerSecond = 1000;

    private readonly ExecutionWorker _worker;
    private readonly KeyTraffic _traffic;
    private readonly CurveSampler _sampler;
    private readonly KeyGlance _glance;

    public KeyAccount(ExecutionWorker worker)
    {
        _worker = worker;
        _traffic = worker.Traffic;
        _sampler = worker.Sampler;
        _glance = new KeyGlance(worker);
    }

    /// <summary>Notes what is drawn of a run, which was counted.</summary>
    /// <param name="session">Whose it is.</param>
    /// <param name="run">The run.</param>
    /// <param name="bytes">Of its commands and their replies.</param>
    /// <param name="timestamp">The clock's.</param>
    public void Note(Session session, CommandRun run, long bytes, long timestamp)
    {
        if (session.IsLoader)
        {
            _traffic.Pass();
            return;
        }

        _traffic.Begin(timestamp);
        while (_traffic.TryDraw(run.Count, stride: 1, out var drawn))
        {
            ref readonly var entry = ref run.Entries[drawn];
            if (entry.Outcome != RunOutcome.Rejected)
            {
                _traffic.NoteAccess(entry.Key, entry.Row.Has(CommandFlags.Write), stride: 1);
            }
        }

        if (_traffic.TryRecount(bytes))
        {
            foreach (ref readonly var entry in run.Entries.AsSpan(0, run.Count))
            {
                _traffic.NoteBytes(entry.Key, entry.MovedBytes);
            }
        }

        _traffic.End();
    }

    /// <summary>A command of a run was executed whose key the curve is made from, among others.</summary>
    /// <param name="session">Whose it is.</param>
    /// <param name="run">The run.</param>
    /// <param name="index">The command's number.</param>
    public void Draw(Session session, CommandRun run, int index)
    {
        ref readonly var entry = ref run.Entries[index];
        if (!session.IsLoader && entry.Outcome != RunOutcome.Rejected && _sampler.Takes(entry.Key.Hash))
        {
            var isRead = !entry.Row.Has(CommandFlags.Write);
            Draw(entry.Key, isRead, isRead && IsWrittenBehind(run, index), entry.MovedBytes);
        }
    }

    /// <summary>Counts a command that is in no run.</summary>
    /// <param name="context">What it was executed with.</param>
    /// <param name="row">The command.</param>
    /// <param name="request">Its arguments: what is drawn is one of them, and no access if it is no key.</param>
    /// <param name="replyBytes">Bytes of its reply.</param>
    /// <param name="timestamp">The clock's.</param>
    public void Count(CommandContext context, CommandRow row, in Request request, int replyBytes, long timestamp)
    {
        if (!row.NeedsLeases || row.Has(CommandFlags.ExecutesScript) || context.Session.IsLoader)
        {
            return; // What scripts call comes by itself.
        }

        var last = request.Arguments[request.Count - 1];
        var bytes = (long)last.Offset + last.Length + replyBytes;
        var accesses = new RequestAccesses(row, request);
        if (accesses.Count <= TrafficLimits.CurveKeysPerCommand)
        {
            Draw(context, request, accesses, bytes);
        }

        if (!_traffic.Passes(request.Count, bytes))
        {
            Note(context, request, accesses, bytes, timestamp);
        }
    }

    private void Draw(CommandContext context, in Request request, in RequestAccesses accesses, long bytes)
    {
        var drawnBelow = _sampler.Threshold;
        for (var i = 0; i < accesses.Count; i++)
        {
            var key = KeyAt(context, request, accesses.IndexOf(i, out var isWrite));
            _sampler.Reads += isWrite ? 0 : 1;
            if (CurveSampler.IsDrawn(key.Hash, drawnBelow) && _sampler.Takes(key.Hash))
            {
                Draw(key, !isWrite, isUnclear: false, bytes / accesses.Count);
            }
        }
    }

    /// <summary>Whether a run has written a key behind its command: then nobody knows what that has found.</summary>
    private static bool IsWrittenBehind(CommandRun run, int index)
    {
        var hash = run.Entries[index].Key.Hash;
        for (var i = index + 1; i < run.Count; i++)
        {
            if (run.Entries[i].Key.Hash == hash && run.Entries[i].Row.Has(CommandFlags.Write))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Has the curve take in an access. How large the key is now is looked up; where that cannot be told at
    /// once, it is about as large as what the command has moved.</summary>
    private void Draw(in Key key, bool isRead, bool isUnclear, long movedBytes)
    {
        var isKnown = _glance.TryLook(key, out var bytes, out var expiryMs);
        var expiresAt = isKnown && expiryMs >= 0 ? expiryMs / MsPerSecond : 0;
        bytes = isKnown ? bytes : movedBytes;
        _sampler.Queue.Add(new SampledAccess(
            key.Hash, (uint)Math.Min(bytes, uint.MaxValue), (uint)Math.Min(expiresAt, uint.MaxValue), isRead)
        {
            IsUnclear = isUnclear || !isKnown,
            Name = new SampledName(key.Span, key.Database),
        });
    }

    private void Note(
        CommandContext context, in Request request, in RequestAccesses accesses, long bytes, long timestamp)
    {
        var stride = 1 + (request.Count / (TrafficLimits.AccessesPerSample * TrafficLimits.SamplesPerCommand));
        _traffic.Begin(timestamp);
        while (_traffic.TryDraw(request.Count, stride, out var drawn))
        {
            if (accesses.IsKey(drawn, out var isWrite))
            {
                _traffic.NoteAccess(KeyAt(context, request, drawn), isWrite, stride);
            }
        }

        if (_traffic.TryRecount(bytes))
        {
            // Of several keys nobody knows which part is whose: chance gives all of it to one.
            var index = accesses.AreAny ? accesses.Draw(context.Random) : 0;
            if (index > 0)
            {
                _traffic.NoteBytes(KeyAt(context, request, index), bytes);
            }
        }

        _traffic.End();
    }

    private Key KeyAt(CommandContext context, in Request request, int index)
        => new(request.Pointer(index), request.Length(index), _worker.Server.Databases.PhysicalOf(
            context.Client.Database));
}
