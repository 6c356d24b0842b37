using NUnit.Framework;
using Strata.Tests.Oracle;
using Strata.Tests.Server.Sessions;

namespace Strata.Tests.Server.Changes;

/// <summary>Whoever applies only what the seam of change tells ends with the shards' data: after each of many random
/// commands, of all that write.</summary>
public sealed class ChangeSeamTests
{
    private const int Sequences = 150;

    private const string Families =
        "strings,bitmaps,keys,expiry,lists,sort,hashes,sets,sortedsets,transactions,server";

    /// <summary>With two workers some commands run in groups by shard, and reads without leases.</summary>
    [Test]
    public void What_is_told_of_changes_makes_up_the_data([Values(1, 2)] int workers)
    {
        using var server = new ServerInProcess(device: null, "--workers", $"{workers}", "--shards", "4");
        var mirrors = server.Server.Shards.All.ToArray().Select(shard => new ChangeMirror(shard)).ToList();
        var generator = RandomCommandGenerator.Of(Families);
        for (var seed = 1; seed <= Sequences; seed++)
        {
            Run(server, mirrors, generator.Sequence(seed), seed);
        }

        Assert.That(mirrors.Sum(mirror => mirror.Told), Is.GreaterThan(Sequences));
    }

    private static void Run(
        ServerInProcess server, List<ChangeMirror> mirrors, IReadOnlyList<OracleStep> steps, int seed)
    {
        using var connection = server.Connect();
        foreach (var command in SharedSettings.Reset())
        {
            _ = connection.Call(command);
        }

        for (var i = 0; i < steps.Count; i++)
        {
            connection.Send(steps[i].Commands);
            for (var left = Math.Max(steps[i].ReplyCount, steps[i].Commands.Count); left > 0; left--)
            {
                _ = connection.ReadReply();
            }

            mirrors.ForEach(mirror => mirror.Compare($"seed {seed}, step {i}: {steps[i]}"));
        }
    }
}
