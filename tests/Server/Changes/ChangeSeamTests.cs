using System.Collections.Concurrent;
using System.Reflection;
using System.Text;
using NUnit.Framework;
using Strata.Storage.Changes;
using Strata.Tests.Oracle;
using Strata.Tests.Server.Execution;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Changes;

/// <summary>Whoever applies only what the seam of change tells ends with the shards' data: after each of many random
/// commands, of all that write.</summary>
[Parallelizable(ParallelScope.All)]
public sealed class ChangeSeamTests
{
    // Sequences of each family that hold every way of changing.
    private const int EnoughForAll = 200;

    // Commands over few elements, too, go on in steps.
    private const int SmallStep = 4;

    private const string Families =
        "strings,bitmaps,hyperloglogs,keys,payloads,expiry,lists,sort,hashes,sets,sortedsets,geo,streams,"
        + "transactions,scripts,functions,server";

    /// <summary>With two workers some commands run in groups by shard, and reads without leases.</summary>
    [TestCase(2, 40)]
    [TestCase(1, 80, Category = TestCategories.Long)]
    [TestCase(2, 80, Category = TestCategories.Long)]
    public void What_is_told_of_changes_makes_up_the_data(int workers, int sequences)
    {
        using var server = new ServerInProcess(device: null, "--workers", $"{workers}", "--shards", "4");
        var context = server.Server.Context;
        context.EffortAtOnce = SmallStep;
        var mirrors = new List<ChangeMirror>();
        server.Visit(shard => mirrors.Add(new ChangeMirror(shard, context.Databases)));
        var errors = new ConcurrentQueue<string>();
        var witness = new TransactionWitness(
            context.Shards, static () => Environment.CurrentManagedThreadId, errors.Enqueue);

        // Each family by itself, where its commands meet each other's keys, and all of them together.
        foreach (var families in Families.Split(',').Append(Families))
        {
            Run(server, mirrors, RandomCommandGenerator.Of(families), families, sequences);
        }

        var own = new FieldExpiryFamily();
        Run(server, mirrors, new RandomCommandGenerator([own]), own.Name, sequences);

        Assert.That(errors, Is.Empty);
        Assert.That(witness.Transactions, Is.GreaterThan(sequences));
        Assert.That(witness.Changes, Is.GreaterThan(sequences));
        var told = mirrors.SelectMany(mirror => mirror.Told).Distinct();
        Assert.That(mirrors.Select(mirror => mirror.Exchanges), Is.All.GreaterThan(sequences / 15), "SWAPDB");
        var ways = Events().Select(NameOf).ToList();
        var leftOut = ways.Except(told.Select(NameOf)).ToList();
        Assert.That(
            leftOut, Has.Count.LessThan(sequences >= EnoughForAll ? 1 : ways.Count / 4),
            $"ways of changing that are left out: {string.Join(", ", leftOut)}");
    }

    /// <summary>Of several elements some are stored, then.</summary>
    [TestCase(20)]
    [TestCase(100, Category = TestCategories.Long)]
    public void What_is_told_makes_up_the_data_also_where_commands_run_out_of_memory(int sequences)
    {
        var memory = new RefusedMemory();
        using var server = new ServerInProcess(device: null, RefusedMemory.Wrap, "--workers", "1", "--shards", "4");
        var context = server.Server.Context;
        var random = new Random(1);
        memory.Attach(context.Shards.Budget);
        memory.Refuses = () => random.Next(2) == 0;
        var mirrors = new List<ChangeMirror>();
        server.Visit(shard => mirrors.Add(new ChangeMirror(shard, context.Databases)));
        foreach (var families in Families.Split(','))
        {
            Run(server, mirrors, RandomCommandGenerator.Of(families), families, sequences);
        }

        Assert.That(memory.Refusals, Is.GreaterThan(25 * sequences));
        Assert.That(mirrors.SelectMany(mirror => mirror.Told), Does.Contain(KeyEvent.Interrupted));
    }

    /// <summary>All events there are but those that time or want of memory brings about, and one that is too rare.
    /// </summary>
    private static IEnumerable<KeyEvent> Events()
        => typeof(KeyEvent).GetFields(BindingFlags.Public | BindingFlags.Static)
            .Select(field => (KeyEvent)field.GetValue(null)!)
            .Except([KeyEvent.Expired, KeyEvent.HExpired, KeyEvent.Evicted, KeyEvent.Interrupted, KeyEvent.Grown]);

    private static string NameOf(KeyEvent what) => Encoding.ASCII.GetString(what.Name);

    private static void Run(
        ServerInProcess server,
        List<ChangeMirror> mirrors,
        RandomCommandGenerator generator,
        string families,
        int sequences)
    {
        for (var seed = 1; seed <= sequences; seed++)
        {
            Run(server, mirrors, generator.Sequence(seed), $"{families}, seed {seed}");
        }
    }

    private static void Run(
        ServerInProcess server, List<ChangeMirror> mirrors, IReadOnlyList<OracleStep> steps, string name)
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

            server.Visit(shard => mirrors[shard.Number].Compare($"{name}, step {i}: {steps[i]}"));
        }
    }
}
