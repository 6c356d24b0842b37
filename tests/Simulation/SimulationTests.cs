using System.Diagnostics;
using System.Globalization;
using NUnit.Framework;
using Strata.Server.Clients;
using Strata.Server.Clients.Waiting;
using Strata.Server.Commands.Model;
using Strata.Server.Journal.Files;
using Strata.Server.Scripting;
using Strata.Tests.Support;

namespace Strata.Tests.Simulation;

/// <summary>
/// Whole servers under a seed. <c>SIMULATION_SEED</c> is the first seed of the random ones, which is printed, and
/// <c>SIMULATION_MINUTES</c> how long they go on (one minute without it, one run with 0).
/// </summary>
[TestFixture]
internal sealed class SimulationTests
{
    private const int UsualSeeds = 40;
    private const int WordsOfKind = 3;

    [Test]
    public void Some_seeds_go_well()
    {
        var (waits, narrow, told) = (0, 0, 0);
        for (var seed = 1UL; seed <= UsualSeeds; seed++)
        {
            var outcome = Run(seed);
            waits += outcome.Waits;
            narrow += outcome.NarrowWaits;
            told += outcome.Told;
        }

        Assert.That(told, Is.GreaterThan(UsualSeeds), "clients are told of changes of what they keep");
        Assert.That(waits, Is.Positive, "scripts wait for leases in the midst of what they do");
        Assert.That(narrow, Is.Positive, "scripts wait for the leases of the keys that they declare");
    }

    /// <summary><c>SIMULATION_CHECKPOINTS</c> says how many, from <c>SIMULATION_SEED</c> on.</summary>
    [Test]
    public void Seeds_with_a_checkpoint_go_well()
    {
        var seed = NumberOf("SIMULATION_SEED", 1);
        var (left, operations) = (NumberOf("SIMULATION_CHECKPOINTS", UsualSeeds / 2), 0);
        for (; left > 0; seed++)
        {
            if (SimulationPlan.Of(seed) is { RewriteAt: >= 0, RewritesAs: JournalBaseKind.Checkpoint })
            {
                operations += Run(seed).Operations;
                left--;
            }
        }

        TestContext.Out.WriteLine($"{operations} requests, to seed {seed}");
    }

    /// <summary>In the first, a client that has gone left its reply to the next one of its worker; in the second,
    /// nobody found out that the device could be written again; in the third, a command that went on in steps failed at
    /// the end of a pipeline, and held its key from then on.</summary>
    [TestCase(4387650592927586852UL)]
    [TestCase(5521654878305478969UL)]
    [TestCase(7013044477761542894UL)]
    public void Seeds_that_have_failed_go_well(ulong seed) => Run(seed);

    [TestCase(3UL)]
    [TestCase(11UL)]
    [TestCase(17UL)]
    public void A_seed_gives_the_same_history_each_time(ulong seed)
    {
        var first = SimulationRun.Of(SimulationPlan.Of(seed));
        var second = SimulationRun.Of(SimulationPlan.Of(seed));
        Assert.That(second, Is.EqualTo(first));
        Assert.That(first.Operations, Is.GreaterThan(20));
        Assert.That(SimulationRun.Of(SimulationPlan.Of(seed + 1)).HistoryHash, Is.Not.EqualTo(first.HistoryHash));
    }

    [Test]
    [Category(TestCategories.Long)]
    public void Random_seeds_go_well()
    {
        var seedText = Environment.GetEnvironmentVariable("SIMULATION_SEED");
        var minutesText = Environment.GetEnvironmentVariable("SIMULATION_MINUTES");
        var first = string.IsNullOrEmpty(seedText)
            ? (ulong)Random.Shared.NextInt64()
            : ulong.Parse(seedText, CultureInfo.InvariantCulture);
        var minutes = string.IsNullOrEmpty(minutesText) ? 1 : double.Parse(minutesText, CultureInfo.InvariantCulture);
        TestContext.Out.WriteLine($"The first seed is {first}");
        var started = Stopwatch.GetTimestamp();
        var (seed, undecided, operations, waits, narrow) = (first, 0, 0L, 0L, 0L);
        do
        {
            var outcome = Run(seed++);
            undecided += outcome.IsUndecided ? 1 : 0;
            operations += outcome.Operations;
            waits += outcome.Waits;
            narrow += outcome.NarrowWaits;
        }
        while (Stopwatch.GetElapsedTime(started).TotalMinutes < minutes);
        TestContext.Out.WriteLine($"{seed - first} seeds, {operations} requests, {waits} waits, {undecided} undecided, "
            + $"{narrow} waits of scripts for leases of their own");
    }

    [Test]
    public void A_read_that_is_sometimes_stale_is_found_and_made_small()
    {
        var count = 0;
        var found = FirstThatFails(row => row.Name != "get" ? row : row.With(context =>
        {
            if (++count % 5 == 0)
            {
                context.Reply.Null();
            }
            else
            {
                row.Handler(context);
            }
        }), () => count = 0);

        Assert.That(found.Clients.Sum(client => client.Batches.Sum(batch => batch.Count)), Is.LessThan(20), $"{found}");
    }

    [Test]
    public void A_lost_update_is_found_and_made_small()
    {
        var count = 0;
        var found = FirstThatFails(row => row.Name != "set" ? row : row.With(context =>
        {
            if (++count % 4 == 0)
            {
                context.Reply.Ok();
            }
            else
            {
                row.Handler(context);
            }
        }), () => count = 0);

        Assert.That(found.Clients.Sum(client => client.Batches.Sum(batch => batch.Count)), Is.LessThan(20), $"{found}");
    }

    [Test]
    public void A_client_that_is_not_told_of_a_change_is_found()
    {
        var failures = Enumerable.Range(1, UsualSeeds)
            .Select(seed => SimulationRun.Of(SimulationPlan.Of((ulong)seed), Forgets).Failure);
        Assert.That(failures.FirstOrDefault(failure => failure != null), Does.StartWith("A client is not told"));

        static CommandRow Forgets(CommandRow row) => row.Name != "mget" ? row : row.With(context =>
        {
            row.Handler(context);
            context.Session.Track(null);
        });
    }

    [Test]
    public void An_acknowledgement_that_is_lost_is_found()
    {
        var count = 0;
        var found = FirstFailureWithStreams(row => row.Name != "xack" ? row : row.With(context =>
        {
            if (++count % 3 == 0)
            {
                context.Reply.Integer(context.Count - 3);
            }
            else
            {
                row.Handler(context);
            }
        }), "No serial execution");
        Assert.That(found, Does.Contain("XACK"));
    }

    [Test]
    public void A_reader_of_a_group_who_is_forgotten_is_found()
    {
        var found = FirstFailureWithStreams(row => row.Name != "xreadgroup" ? row : row.With(context =>
        {
            if (context.Session.Blocked is { End: WaitEnd.None } blocked)
            {
                blocked.EndTurn();
                context.Session.Block(blocked);
            }
            else
            {
                row.Handler(context);
            }
        }), "Somebody waits for what is there");
        Assert.That(found, Does.Contain("XREADGROUP"));
    }

    [Test]
    public void A_change_that_is_lost_between_a_base_and_what_follows_is_found()
    {
        var plans = Enumerable.Range(1, 400)
            .Select(seed => SimulationPlan.Of((ulong)seed))
            .Where(plan => plan.RewriteAt >= 0);
        var failures = plans.Select(plan => SimulationRun.Of(plan, rewriteLoses: 1).Failure);
        Assert.That(failures.FirstOrDefault(failure => failure != null), Does.StartWith("After the journal"));
    }

    [Test]
    public void A_script_that_takes_all_leases_though_it_needs_few_is_found()
    {
        var failures = Enumerable.Range(1, UsualSeeds)
            .Select(seed => SimulationRun.Of(SimulationPlan.Of((ulong)seed), TakesAll).Failure);
        Assert.That(failures.FirstOrDefault(failure => failure != null), Does.Contain("which is not needed by EVAL"));

        static CommandRow TakesAll(CommandRow row) => row.Name != "eval" ? row : row.With(context =>
        {
            row.Handler(context);
            if (context.Services.Scripts.Cache.TryFind(ScriptId.Of(context.Argument(1)), out var script))
            {
                script.Reach = ScriptReach.Others;
            }
        });
    }

    private static SimulationPlan FirstThatFails(Func<CommandRow, CommandRow> bug, Action reset)
    {
        for (var seed = 1UL; seed < 50; seed++)
        {
            var plan = SimulationPlan.Of(seed);
            if (Fails(plan))
            {
                return SimulationShrinker.Shrink(plan, Fails);
            }
        }

        Assert.Fail("The bug is not found");
        return null!;

        bool Fails(SimulationPlan plan)
        {
            reset();
            return SimulationRun.Of(plan, bug).Failure != null;
        }
    }

    private static string FirstFailureWithStreams(Func<CommandRow, CommandRow> bug, string what)
        => Enumerable.Range(1, 3 * UsualSeeds)
            .Select(seed => SimulationPlan.Of((ulong)seed))
            .Where(plan => plan.HasStreams)
            .Select(plan => SimulationRun.Of(plan, bug).Failure)
            .FirstOrDefault(failure => failure?.StartsWith(what, StringComparison.Ordinal) == true) ?? "";

    private static ulong NumberOf(string variable, ulong usual)
        => Environment.GetEnvironmentVariable(variable) is { Length: > 0 } text
            ? ulong.Parse(text, CultureInfo.InvariantCulture)
            : usual;

    /// <summary>How a failure begins: a plan that fails in another way as it gets smaller would show another fault.
    /// </summary>
    private static string? KindOf(string? failure)
        => failure == null ? null : string.Join(' ', failure.Split(' ').Take(WordsOfKind));

    private static SimulationOutcome Run(ulong seed)
    {
        var plan = SimulationPlan.Of(seed);
        var outcome = SimulationRun.Of(plan);
        if (outcome.Failure != null)
        {
            var kind = KindOf(outcome.Failure);
            var small = SimulationShrinker.Shrink(plan, other => KindOf(SimulationRun.Of(other).Failure) == kind);
            Assert.Fail($"Run it again with SIMULATION_SEED={seed} SIMULATION_MINUTES=0. {outcome.Failure}\n"
                + $"The smallest plan that fails:\n{small}\n{SimulationRun.Of(small).Failure}");
        }

        return outcome;
    }
}
