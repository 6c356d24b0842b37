using NUnit.Framework;
using Strata.Server.Journal;
using Strata.Server.Journal.Files;
using Strata.Server.Runtime;
using Strata.Tests.Server.Execution;
using Strata.Tests.Server.Journal.Files;

namespace Strata.Tests.Server.Journal;

/// <summary>A server whose journal goes to a simulated disk. The journal's thread does a turn when the test says so.
/// </summary>
/// <param name="workers">The server's.</param>
internal abstract class JournalKeeperFixture(int workers)
{
    private string _data = "";

    protected TurnServer Server { get; private set; } = null!;

    protected SimulatedDisk Disk { get; private set; } = null!;

    protected SimulatedFolder Folder { get; private set; } = null!;

    protected JournalFiles Files { get; private set; } = null!;

    protected JournalKeeper Keeper { get; private set; } = null!;

    /// <summary>Who waits for the disk.</summary>
    protected HeldWork Work { get; private set; } = null!;

    /// <summary>What is done when something is to be tried again, and whether it is.</summary>
    protected Func<bool> Await { get; set; } = static () => false;

    protected bool IsSnapshotUnderWay { get; set; }

    /// <summary>Called in the midst of a batch, when the file is about to be written; null for nothing.</summary>
    protected Action? Writing { get; set; }

    protected EffectJournal Journal => Server.Server.Services.Journal;

    [TearDown]
    public void Stop()
    {
        Journal.TurnOff();
        Server.Dispose();
        Keeper.Dispose();
        Work.Dispose();
        Directory.Delete(_data, recursive: true);
    }

    protected void Start(string policy)
    {
        Await = () => false;
        IsSnapshotUnderWay = false;
        Writing = null;
        _data = Directory.CreateTempSubdirectory("strata-keeper-").FullName;
        Server = new TurnServer(workers, arguments: ["--appendfsync", policy, "--dir", _data]);
        Disk = new SimulatedDisk(seed: 1);
        Folder = Disk.CreateFolder("aof", exists: true);
        Files = JournalKit.NewFiles(Disk.CreateFolder("", exists: true), Folder);
        _ = Files.Load();
        JournalKit.AssertNone(Files.BeginIncrement(0, out var writer));
        var context = Server.Server.Context;
        Work = new HeldWork();
        Keeper = new JournalKeeper(
            new JournalContext
            {
                Journal = Journal,
                Durability = context.Durability,
                Files = Files,
                Log = context.Log,
                Work = Work,
                Clock = Server.Clock,
                Options = () =>
                {
                    Writing?.Invoke();
                    return context.Configuration.Current;
                },
                IsSnapshotUnderWay = () => IsSnapshotUnderWay,
                Await = () => Await(),
            },
            writer!,
            writer!.Offset,
            writer.SizeBytes);
        Journal.Durable = () =>
        {
            foreach (WorkerContext worker in Server.Server.Workers)
            {
                worker.OnDurable();
            }
        };
        Journal.TurnOn();
        if (policy == "always")
        {
            Journal.AwaitDurability();
        }
    }

    protected void Turn()
    {
        while (Keeper.Turn() || Work.HasEnded)
        {
            // What came together may be several batches.
        }

        Server.Settle();
    }
}
