using NUnit.Framework;
using Strata.Server.Execution;
using Strata.Server.Journal;
using Strata.Server.Journal.Files;
using Strata.Server.Persistence;
using Strata.Server.Persistence.Checkpoints;
using Strata.Server.Runtime;
using Strata.Storage;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;
using Strata.Storage.Tiering;
using Strata.Tests.Server.Execution;
using Strata.Tests.Server.Journal;
using Strata.Tests.Server.Journal.Files;
using Strata.Tests.Storage.Devices;

namespace Strata.Tests.Simulation.Durable;

/// <summary>
/// One life of a server with a journal and a tier on simulated disks, from its start to the loss of power: it begins
/// with the checkpoint and the journal that it finds, and must hold what was acknowledged; then a client changes data,
/// the journal is rewritten, pages go to the device and come back, and everything may fail.
/// </summary>
internal sealed unsafe class TierLife : IDisposable
{
    private const int PieceBytes = 16 << 10;

    private readonly SimulatedDisk _disk;
    private readonly SimulatedFolder _folder;
    private readonly SimulatedDevice _device;
    private readonly TierHistory _history;
    private readonly Random _random;
    private readonly TierSteps _steps;
    private readonly TurnServer _server;
    private readonly JournalFiles _files;
    private readonly ThreadSignal _wake = new();
    private JournalThread? _thread;
    private TurnClient? _client;
    private TierRewrite? _rewrite;
    private int _awaited;
    private bool _isRefused;

    /// <summary>A server that was not started yet.</summary>
    public TierLife(
        SimulatedDisk disk, SimulatedFolder directory, SimulatedFolder folder, SimulatedDevice device,
        TierHistory history)
    {
        (_disk, _folder, _device, _history, _random) = (disk, folder, device, history, disk.Random);
        _steps = new TierSteps(_random);
        _files = JournalKit.NewFiles(directory, folder, (ulong)_random.NextInt64());
        _server = new TurnServer(
            workers: 1 + _random.Next(3),
            change: null,
            new LastingDevice(device),
            "--segment-size", "1mb", "--appendfsync", "always", "--hz", "100", "--hash-max-listpack-entries", "64",
            "--compaction-garbage-percent", $"{10 + _random.Next(50)}");
        Tier.MarkKept = MarkKept;
        Tier.StepEffort = 1 + _random.Next(600);
    }

    /// <summary>Rewrites that have become the journal's base.</summary>
    public int Checkpoints { get; private set; }

    /// <summary>Whether it has begun with a checkpoint.</summary>
    public bool HasRecovered { get; private set; }

    private Tier Tier => _server.Server.Context.Shards.Tier!;

    private EffectJournal Journal => _server.Server.Services.Journal;

    /// <summary>Loads what there is, and looks whether it is right.</summary>
    public void Start()
    {
        _ = _files.Load();
        var end = Load();
        Assert.That(_history.FirstDifference(_server), Is.Null);
        _ = _files.CleanUp();
        var isResumed = end.CanResume && _files.Manifest.Increments.Count > 0;
        var error = isResumed
            ? _files.Resume(end, out var writer)
            : _files.BeginIncrement(end.Offset, out writer);
        JournalKit.AssertNone(error);
        Begin(writer!);
        Tier.IsEager = _random.Next(4) > 0;
        _client = _server.Connect();
    }

    /// <summary>Lets something happen.</summary>
    public void Step()
    {
        switch (_random.Next(16))
        {
            case 0:
                Vary();
                break;
            case 1:
                _server.Clock.AdvanceMs(_random.Next(30));
                break;
            case 2 when _rewrite is null or { HasEnded: true }:
                BeginRewrite();
                break;
            case < 6:
                _ = _thread!.Keeper.Turn();
                break;
            case < 11 when _awaited == 0:
                Send();
                break;
            default:
                _server.Turn(_random.Next(_server.Server.Context.WorkerCount));
                break;
        }

        Receive();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Count();
        _server.IsAbandoned = true;
        _server.Dispose();
        _thread?.Dispose();
        _wake.Dispose();
    }

    private JournalEnd Load()
    {
        if (_files.Manifest.Base is { } first)
        {
            LoadBase(first.Name);
        }

        JournalEnd end = default;
        var commands = new MemoryStream();
        var increments = _files.Manifest.Increments;
        var expected = -1L;
        using var reader = new JournalFileReader(new MemoryBudget(), JournalKit.SmallBuffer);
        for (var i = 0; i < increments.Count; i++)
        {
            var mayEndTorn = JournalLoader.MayEndTorn(_files, increments, i);
            JournalKit.AssertNone(_files.Open(increments[i].Name, out var file));
            using (file)
            {
                reader.Begin(file!, new JournalReadOptions(mayEndTorn, false, true, 0, expected));
                while (reader.TryRead(out var stretch))
                {
                    commands.Write(new ReadOnlySpan<byte>(stretch.Bytes, stretch.Length));
                }

                end = reader.End;
                if (end.HasMore)
                {
                    JournalKit.AssertNone(reader.Cut());
                }

                expected = end.Offset;
            }
        }

        Repeat(commands.ToArray());
        return end;
    }

    private void LoadBase(string name)
    {
        var path = Path.GetTempFileName();
        File.WriteAllBytes(path, _folder[name]);
        var context = _server.Server.Context;
        KeptTier? kept = null;
        if (name.EndsWith(JournalFileReader.CheckpointEnding, StringComparison.Ordinal))
        {
            HasRecovered = true;
            kept = KeptTier.Open(path, context.Configuration.Current);
            var named = kept.RestorePages(context);
            foreach (var segment in _device.Segments.Where(segment => !named.Contains(segment)).ToArray())
            {
                if (_random.Next(2) == 0)
                {
                    _device.RemoveSegment(segment); // Whether a file that was removed comes back is open.
                }
            }
        }

        var shards = context.Shards.All.ToArray();
        Invariant.Check(shards.All(shard => shard.Lease.TryAcquire()), "nobody uses the server yet");
        var load = new DataLoad(_server.Server.Services, path, keepsExpired: true, replaces: false, kept);
        while (load.Read(_server.Server.Workers[0]) != LoadStep.Ended)
        {
            foreach (var worker in _server.Server.Workers.Skip(1))
            {
                _ = load.Load(worker);
            }
        }

        File.Delete(path);
        Assert.That(load.Problem, Is.Null);
        Array.ForEach(shards, static shard => shard.Lease.Release());
    }

    private void Repeat(byte[] commands)
    {
        var client = _server.Connect();
        for (var i = 0; i < commands.Length; i += PieceBytes)
        {
            client.SendRaw(commands.AsSpan(i, Math.Min(commands.Length - i, PieceBytes)));
            _server.Settle();
            Assert.That(client.Replies(), Has.None.StartsWith("-"));
        }

        var last = TierHistory.Ask(_server, client, ["ECHO end"]);
        for (var round = 0; !last.Contains("$end") && round < 1000; round++)
        {
            _server.Settle();
            last = client.Replies();
        }
    }

    private void Begin(JournalFileWriter writer)
    {
        var context = _server.Server.Context;
        _thread = new JournalThread(_wake, (_, thread) =>
        {
            thread.Dispose(); // What waits for the disk is done at once.
            return new JournalKeeper(
                new JournalContext
                {
                    Journal = Journal,
                    Durability = context.Durability,
                    Files = _files,
                    Log = context.Log,
                    Work = new HeldWork(),
                    Clock = _server.Clock,
                    Options = () => context.Configuration.Current,
                    IsSnapshotUnderWay = () => _rewrite is { HasEnded: false },
                    Await = MakeWritable,
                },
                writer,
                writer.Offset,
                writer.SizeBytes);
        });
        Journal.Durable = () =>
        {
            foreach (WorkerContext worker in _server.Server.Workers)
            {
                worker.OnDurable();
            }
        };
        Journal.TurnOn();
        Journal.AwaitDurability();
    }

    /// <summary>What cannot be written is tried again.</summary>
    private bool MakeWritable()
    {
        _disk.FailsOneOf = 0;
        return true;
    }

    private void Vary()
    {
        var faults = _device.Faults;
        faults.Heal();
        _disk.FailsOneOf = 0;
        switch (_random.Next(8))
        {
            case 0:
                faults.WriteErrorRate = faults.NoSpaceRate = 0.3;
                break;
            case 1 or 2:
                faults.DelayRate = faults.ReorderRate = 0.7;
                break;
            case 3:
                _disk.FailsOneOf = 8;
                break;
            case 4 when _random.Next(10) == 0:
                _device.SyncsBeforeFailure = _random.Next(6);
                break;
            case 5:
                Tier.IsEager = !Tier.IsEager;
                break;
        }
    }

    private void BeginRewrite()
    {
        Count();
        _rewrite = new TierRewrite(Tier, _files, _thread!, () => Journal.LastSequence);
        _server.Server.Services.Snapshots.Want(_rewrite.ToRequest());
    }

    private void Count() => Checkpoints += _rewrite is { IsCheckpoint: true, Outcome.Error: null } ? 1 : 0;

    private void Send()
    {
        var step = _steps.Next();
        _history.Begin(step);
        _awaited = step.Length;
        _isRefused = false;
        _client!.Send(step);
    }

    private void Receive()
    {
        foreach (var reply in _client!.Replies())
        {
            _isRefused |= reply.StartsWith('-');
            if (--_awaited == 0)
            {
                _history.End(_isRefused);
            }
        }
    }

    private void MarkKept()
    {
        if (_disk.Fails())
        {
            throw new IOException("what is kept cannot be noted");
        }
    }
}
