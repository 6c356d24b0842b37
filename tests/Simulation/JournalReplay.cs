using Strata.Server;
using Strata.Server.Execution;
using Strata.Server.Journal;
using Strata.Server.Journal.Files;
using Strata.Server.Persistence;
using Strata.Server.Persistence.Checkpoints;
using Strata.Storage;
using Strata.Tests.Server.Execution;
using Strata.Tests.Server.Journal;
using Strata.Tests.Simulation.Streams;
using Strata.Tests.Storage.Devices;

namespace Strata.Tests.Simulation;

/// <summary>Listens to what a simulated server tells its journal, and repeats it on another server, which must then
/// have the same keys: from the beginning, or behind a base that a rewrite has made meanwhile.</summary>
internal sealed class JournalReplay : IDisposable
{
    private const int PieceBytes = 16 << 10;
    private const int EarlierMs = 600_000;
    private const int MostRounds = 10_000;

    private readonly EffectJournal _journal;
    private readonly EffectLog _log;
    private readonly StrataServer _server;
    private readonly SimulatedDevice _device;
    private readonly int _rewriteLoses;
    private SimulatedRewrite? _rewrite;
    private long _end;
    private bool _hasEnded;

    /// <summary>Turns a server's journal on. No worker has taken a turn.</summary>
    /// <param name="server">The server.</param>
    /// <param name="device">Its device, if it has one.</param>
    /// <param name="rewriteLoses">How many batches behind a rewrite's moment are forgotten, to see that it is found.
    /// </param>
    public JournalReplay(StrataServer server, SimulatedDevice device, int rewriteLoses = 0)
    {
        _device = device;
        _rewriteLoses = rewriteLoses;
        _server = server;
        _journal = server.Services.Journal;
        _log = new EffectLog(_journal);
    }

    /// <summary>Begins a rewrite, unless there was one.</summary>
    /// <param name="kind">As what its base is written.</param>
    public void BeginRewrite(JournalBaseKind kind)
    {
        if (_rewrite == null)
        {
            _rewrite = new SimulatedRewrite(_server, kind);
            _rewrite.Begin();
        }
    }

    /// <summary>Waits until the rewrite has ended, if one was begun.</summary>
    /// <param name="round">Lets every worker take a turn.</param>
    /// <param name="mayFail">Whether it may have failed.</param>
    /// <returns>What is not as it must be; null if nothing is.</returns>
    public string? AwaitRewrite(Action round, bool mayFail)
    {
        for (var i = 0; i < MostRounds && _rewrite is { HasEnded: false }; i++)
        {
            round();
        }

        return _rewrite == null ? null
            : !_rewrite.HasEnded ? "The rewrite does not end"
            : _rewrite.Error != null && !mayFail ? $"The rewrite has failed: {_rewrite.Error}"
            : null;
    }

    /// <summary>What is told from here on is not repeated: what expires while the clients look for the last time was
    /// there when they looked, or not.</summary>
    public void End() => _end = _journal.LastSequence;

    /// <summary>Repeats all that was told, asks the other server what the clients asked last, and compares.</summary>
    /// <param name="last">The last requests and their replies; they change nothing.</param>
    /// <returns>The first difference; null where there is none.</returns>
    public string? FirstDifference(IReadOnlyList<Operation> last)
    {
        var newBase = _rewrite?.Base;
        if (newBase != null)
        {
            _log.Forget(_rewrite!.MomentSequence + _rewriteLoses);
        }

        var told = _log.TakeBytes(_end);
        var kept = newBase != null && _rewrite!.Kind == JournalBaseKind.Checkpoint ? _device.Copy() : null;
        using var server = new TurnServer(workers: 1, change: null, kept, "--segment-size", "1mb");
        server.Clock.AdvanceMs(-EarlierMs); // It goes on by itself, and must not be ahead of what is asked for.
        var isOfCommands = newBase != null && _rewrite!.Kind == JournalBaseKind.Commands;
        if (isOfCommands)
        {
            Repeat(server, newBase!);
        }
        else if (newBase != null)
        {
            Load(server, newBase, isCheckpoint: kept != null);
        }

        Repeat(server, told);
        var client = server.Connect();
        _ = client.Call("DEBUG SET-ACTIVE-EXPIRE 0"); // The clock is set back from one question to the next.
        var entries = "";
        foreach (var operation in last)
        {
            var command = operation.Request.Commands[0];
            entries = command[0] == "XRANGE" ? ReplyText.Of(operation.Reply!) : entries;
            var expected = Text(command, ReplyText.Of(operation.Reply!));
            if (!Answers(expected, operation, server, client, Text, out var reply))
            {
                return $"After the journal {string.Join(' ', command)} answers {reply}, and not {expected}:\n"
                    + (newBase == null ? "" : $"(a base as {_rewrite!.Kind})\n")
                    + string.Join('\n', AofText.CommandsOf(told));
            }
        }

        return null;

        string Text(string[] command, string reply)
            => isOfCommands
                ? StreamReplyText.OfEntriesInStream(command, Comparable(command, reply), entries)
                : Comparable(command, reply);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (!_hasEnded)
        {
            _hasEnded = true;
            _rewrite?.EndHold();
            _log.Dispose();
            _journal.Dispose();
        }
    }

    private static void Repeat(TurnServer server, byte[] commands)
    {
        var client = server.Connect();
        for (var i = 0; i < commands.Length; i += PieceBytes)
        {
            client.SendRaw(commands.AsSpan(i, Math.Min(commands.Length - i, PieceBytes)));
            server.Settle();
            _ = client.Replies();
        }
    }

    private static void Load(TurnServer server, byte[] bytes, bool isCheckpoint)
    {
        var path = Path.GetTempFileName();
        File.WriteAllBytes(path, bytes);
        var context = server.Server.Context;
        var kept = isCheckpoint ? KeptTier.Open(path, context.Configuration.Current) : null;
        _ = kept?.RestorePages(context);
        var shards = server.Server.Context.Shards.All.ToArray();
        Invariant.Check(shards.All(shard => shard.Lease.TryAcquire()), "nobody uses the server yet");
        var load = new DataLoad(server.Server.Services, path, keepsExpired: true, replaces: false, kept);
        while (load.Read(server.Server.Workers[0]) != LoadStep.Ended)
        {
            // In slices, as a worker does.
        }

        File.Delete(path);
        Invariant.Check(load.Problem == null, $"the base can be loaded: {load.Problem}");
        foreach (var shard in shards)
        {
            shard.Lease.Release();
        }
    }

    /// <summary>Whether the other server answers the same at some time between a request and its reply: what expires
    /// meanwhile may be there, or not.</summary>
    private static bool Answers(
        string expected, Operation operation, TurnServer server, TurnClient client,
        Func<string[], string, string> text, out string reply)
    {
        var command = operation.Request.Commands[0];
        var atMs = operation.InvokedMs - 1; // Its clock goes on while it answers.
        do
        {
            server.Clock.AdvanceMs((int)(atMs - server.Clock.NowMs));
            reply = text(command, client.Call(string.Join(' ', command)).Single());
        }
        while (reply != expected && ++atMs <= operation.ReturnedMs);
        return reply == expected;
    }

    private static string Comparable(string[] command, string reply)
        => reply.StartsWith('-') ? reply.Split(' ')[0]
            : command[0] is "SMEMBERS" or "HGETALL" ? string.Join(' ', reply.Trim('[', ']').Split(' ').Order())
            : StreamReplyText.Lasting(command, reply);
}
