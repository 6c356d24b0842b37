using System.Text;
using NUnit.Framework;
using Strata.Server.Journal;
using Strata.Server.Journal.Files;
using Strata.Storage.Runtime;
using Strata.Tests.Server.Execution;
using Strata.Tests.Server.Journal.Files;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Journal;

/// <summary>The journal's thread as it runs: while the disk takes its time what is acknowledged is written all the
/// same, since a process that is killed then loses only what it has not written.</summary>
[TestFixture]
internal sealed class JournalThreadTests
{
    [Test]
    public void What_is_acknowledged_is_written_while_the_disk_is_waited_for()
    {
        using var server = new TurnServer(workers: 1, arguments: ["--appendfsync", "everysec"]);
        using var hasBegun = new ManualResetEventSlim();
        using var mayEnd = new ManualResetEventSlim();
        var disk = new SimulatedDisk(seed: 1);
        var folder = disk.CreateFolder("aof", exists: true);
        var files = JournalKit.NewFiles(disk.CreateFolder("", exists: true), folder);
        _ = files.Load();
        JournalKit.AssertNone(files.BeginIncrement(0, out var writer));
        using var wake = new ThreadSignal();
        using var thread = Start(server, wake, files, writer!);
        disk.SyncBegins = () =>
        {
            hasBegun.Set();
            mayEnd.Wait();
        };
        try
        {
            var client = server.Connect();
            client.Expect(["SET a 1"], "+OK");
            server.Clock.AdvanceMs(1001);
            Patience.Await(() => hasBegun.IsSet);
            client.Expect(["SET b 2"], "+OK");
            Patience.Await(() => Holds(folder, "$1\r\nb\r\n"));
            Assert.That(thread.Keeper.Background.PendingSyncs, Is.EqualTo(1));
            Assert.That(thread.Keeper.Background.DelayedSyncs, Is.Zero);
            server.Clock.AdvanceMs(1001);
            Patience.Await(() => thread.Keeper.Background.DelayedSyncs == 1);
        }
        finally
        {
            mayEnd.Set();
            thread.Stop();
            server.Server.Services.Journal.TurnOff();
        }

        Assert.That(thread.Keeper.Background.PendingSyncs, Is.Zero);
        Assert.That(server.Server.Context.Durability.Durable, Is.EqualTo(server.Server.Services.Journal.LastSequence));
    }

    private static bool Holds(SimulatedFolder folder, string text)
        => Encoding.Latin1.GetString(folder["appendonly.aof.1.incr.aof"]).Contains(text, StringComparison.Ordinal);

    private static JournalThread Start(
        TurnServer server, ThreadSignal wake, JournalFiles files, JournalFileWriter writer)
    {
        var context = server.Server.Context;
        var journal = server.Server.Services.Journal;
        var thread = new JournalThread(wake, (await, work) => new JournalKeeper(
            new JournalContext
            {
                Journal = journal,
                Durability = context.Durability,
                Files = files,
                Log = context.Log,
                Work = work,
                Clock = server.Clock,
                Options = () => context.Configuration.Current,
                IsSnapshotUnderWay = static () => false,
                Await = await,
            },
            writer,
            writer.Offset,
            writer.SizeBytes));
        journal.TurnOn();
        thread.Start();
        return thread;
    }
}
