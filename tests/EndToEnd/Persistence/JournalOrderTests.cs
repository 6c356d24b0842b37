using System.Globalization;
using NUnit.Framework;
using Strata.Tests.Server.Journal;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Persistence;

/// <summary>The journal's order is that in which each client has sent its commands, whatever shards they go to: cut
/// anywhere, by a crash, it has no later one without those before it.</summary>
internal sealed class JournalOrderTests() : JournalFixture("3")
{
    private const int Clients = 6;
    private const int Keys = 50;
    private const int PerPipeline = 50;

    [TestCase("SET", 200, false)]
    [TestCase("APPEND", 200, false)]
    [TestCase("APPEND", 20, true)]
    public void Pipelines_come_to_the_journal_as_they_were_sent(string verb, int pipelines, bool isCold)
    {
        string[] flags = isCold ? ["--storage-tier", "yes", "--enable-debug-command", "yes"] : [];
        using (var server = Start(["--appendonly", "yes", "--auto-aof-rewrite-percentage", "0", .. flags]))
        {
            using var other = server.Connect();
            Assert.That(!isCold || other.Call("DEBUG", "TIER-EAGER", "1").Text == "OK");
            Parallel.For(0, Clients, new ParallelOptions { MaxDegreeOfParallelism = Clients }, client =>
                Run(server, verb, client, pipelines));
            Assert.That(server.StopGracefully, Throws.Nothing);
        }

        var commands = Directory.GetFiles(Aof, "*.incr.aof").SelectMany(file =>
            AofText.CommandsOf(File.ReadAllBytes(file))).ToList();
        for (var client = 0; client < Clients; client++)
        {
            var prefix = $"{verb} {client}:";
            var numbers = commands.Where(command => command.StartsWith(prefix, StringComparison.Ordinal))
                .Select(command => int.Parse(command.Split(' ')[2], CultureInfo.InvariantCulture));
            Assert.That(numbers, Is.EqualTo(Enumerable.Range(0, pipelines * PerPipeline)), $"client {client}");
        }
    }

    /// <summary>Sends numbered commands for keys of the client's own.</summary>
    private static void Run(ServerProcess server, string verb, int client, int pipelines)
    {
        var random = new Random(client);
        using var connection = server.Connect();
        for (var i = 0; i < pipelines; i++)
        {
            connection.Send([.. Enumerable.Range(i * PerPipeline, PerPipeline).Select(number => RespCommand.Of(
                verb, $"{client}:{random.Next(Keys)}", number.ToString(CultureInfo.InvariantCulture)))]);
            for (var reply = 0; reply < PerPipeline; reply++)
            {
                Assert.That(connection.ReadReply().IsError, Is.False);
            }
        }
    }
}
