using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>Many connections that do nothing. They take half of the files that a process usually may open.</summary>
[Category(TestCategories.Long)]
[NonParallelizable]
public sealed class IdleConnectionTests
{
    private const int Connections = 10_000;
    private const int FilesOfItsOwn = 1_000;
    private const int MostBytesEach = 2 * 1024;

    [Test]
    public void Ten_thousand_idle_connections_cost_under_2_KB_each()
    {
        var limit = Posix.MaxOpenFiles();
        if (limit < Connections + FilesOfItsOwn)
        {
            Assert.Ignore($"Too few open files are allowed for {Connections} connections: ulimit -Hn says {limit}.");
        }

        using var server = StrataProcess.Start("--maxclients", "11000");
        WarmUp(server);
        var before = HeldBytes(server);
        var idle = new List<RespConnection>(Connections);
        try
        {
            for (var i = 0; i < Connections; i++)
            {
                var connection = server.Connect();
                idle.Add(connection);
                connection.Call("PING"); // has been used, and must have given its buffers back
            }

            var each = (HeldBytes(server) - before) / Connections;
            TestContext.Out.WriteLine($"{each} B of RSS per idle connection");
            Assert.That(each, Is.LessThan(MostBytesEach), "bytes of RSS per connection");
            Assert.That(idle[0].Call("PING"), Is.EqualTo(RespValue.Simple("PONG")));
            Assert.That(idle[^1].Call("PING"), Is.EqualTo(RespValue.Simple("PONG")));
        }
        finally
        {
            idle.ForEach(connection => connection.Dispose());
        }
    }

    /// <summary>Without what was used for a moment, up to four megabytes of it, and is not collected yet.</summary>
    private static long HeldBytes(ServerProcess server)
    {
        using var connection = server.Connect();
        Assert.That(connection.Call("MEMORY", "PURGE").Text, Is.EqualTo("OK"));
        return server.ResidentBytes();
    }

    /// <summary>What the server needs once, however many connections come, isn't counted to them.</summary>
    private static void WarmUp(ServerProcess server)
    {
        for (var i = 0; i < 100; i++)
        {
            using var connection = server.Connect();
            connection.Call("PING");
        }
    }
}
