using System.Collections.Concurrent;
using System.Globalization;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Persistence;

/// <summary>A disk that is really full: changes are refused, reading goes on, and with room for more all goes on by
/// itself, with nothing lost.</summary>
[TestFixture]
internal sealed class FullDiskTests
{
    private const int DiskMegabytes = 12;
    private const int BallastBytes = 6 << 20;

    private static readonly string s_value = new('v', 5_000);

    [Test]
    public void What_was_answered_is_there_when_there_is_room_again([Values("always", "everysec")] string policy)
    {
        using var disk = SmallDisk.Mount(DiskMegabytes);
        var ballast = Path.Combine(disk.Folder, "ballast");
        File.WriteAllBytes(ballast, new byte[BallastBytes]);
        var answered = new ConcurrentQueue<int>();
        using (var server = Start(disk, policy))
        {
            using var admin = server.Connect();
            using var isStopping = new CancellationTokenSource();
            var writing = Task.Run(() => Write(server, answered, isStopping.Token));
            Patience.Await(() => AofRewrites.Field(admin, "aof_last_write_status") == "err");
            Assert.That(admin.Call("SET", "refused", "1").Text, Does.StartWith("MISCONF Errors writing to the AOF"));
            Assert.That(admin.Call("DEL", "0").Text, Does.StartWith("MISCONF"));
            Assert.That(admin.Call("GET", "0").Text, Is.EqualTo(s_value), "reading goes on");
            isStopping.Cancel();
            File.Delete(ballast);
            Patience.Await(() => AofRewrites.Field(admin, "aof_last_write_status") == "ok");
            Assert.That(admin.Call("SET", "taken", "1").Text, Is.EqualTo("OK"));
            writing.Wait();
            if (policy == "everysec")
            {
                Assert.That(admin.Call("WAITAOF", "1", "0", "0").Items[0].Integer, Is.EqualTo(1));
            }

            server.Kill();
        }

        using var again = Start(disk, policy);
        using var reader = again.Connect();
        Assert.That(answered, Is.Not.Empty);
        foreach (var key in answered)
        {
            Assert.That(reader.Call("GET", Text(key)).Text, Is.EqualTo(s_value), $"{key} was answered");
        }

        Assert.That(reader.Call("EXISTS", "taken", "refused").Integer, Is.EqualTo(1));
        again.StopGracefully();
    }

    /// <summary>What was answered last is lost then: whoever looks after the server must come to know of it.</summary>
    [Test]
    public void A_stop_that_cannot_write_the_end_of_the_journal_is_told_by_the_exit_code(
        [Values("always", "everysec")] string policy)
    {
        using var disk = SmallDisk.Mount(DiskMegabytes);
        File.WriteAllBytes(Path.Combine(disk.Folder, "ballast"), new byte[BallastBytes]);
        using var server = Start(disk, policy);
        using var admin = server.Connect();
        using var isStopping = new CancellationTokenSource();
        var writing = Task.Run(() => Write(server, [], isStopping.Token));
        Patience.Await(() => AofRewrites.Field(admin, "aof_last_write_status") == "err");
        isStopping.Cancel();
        if (policy == "everysec")
        {
            writing.Wait();
        }

        server.Terminate();
        Assert.That(server.WaitForExit(), Is.EqualTo(5));
        Assert.That(server.Output, Does.Contain("the end of its journal was not written")
            .And.Not.Contain("clients were closed").And.Not.Contain("is written again"));
        if (policy == "always")
        {
            Assert.Throws<AggregateException>(writing.Wait, "nobody is answered what the disk does not have");
        }
    }

    private static ServerProcess Start(SmallDisk disk, string policy)
        => StrataProcess.Start(["--dir", disk.Folder, "--appendonly", "yes", "--appendfsync", policy, "--save", ""]);

    /// <summary>Writes one key after the other, as far as it is answered.</summary>
    private static void Write(ServerProcess server, ConcurrentQueue<int> answered, CancellationToken stop)
    {
        using var connection = server.Connect();
        for (var key = 0; !stop.IsCancellationRequested; key++)
        {
            var reply = connection.Call("SET", Text(key), s_value);
            if (!reply.IsError)
            {
                answered.Enqueue(key);
            }
            else if (!reply.Text.StartsWith("MISCONF", StringComparison.Ordinal))
            {
                throw new AssertionException(reply.Text);
            }
            else
            {
                Thread.Sleep(1); // Until there is room, it is refused again and again.
            }
        }
    }

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
