using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Oracle;

/// <summary>
/// Tests of the oracle test itself, with two redis-servers: it must find no difference between equals, must find
/// each kind of lie that one of them is made to tell, and must shrink what it finds to the few commands needed.
/// </summary>
[TestFixture]
internal sealed class OracleHarnessTests
{
    private const int Seed = 20_240_607;

    private ServerTarget _left = null!;
    private ServerTarget _right = null!;

    [OneTimeSetUp]
    public void StartServers()
    {
        _left = new ServerTarget("left", () => RedisProcess.Start());
        _right = new ServerTarget("right", () => RedisProcess.Start());
    }

    [OneTimeTearDown]
    public void StopServers()
    {
        _left.Dispose();
        _right.Dispose();
    }

    [Test]
    public void Equal_servers_agree_on_every_family()
    {
        var runner = new SequenceRunner(_left, _right);
        var generator = RandomCommandGenerator.Of(null);
        for (var seed = Seed; seed < Seed + 300; seed++)
        {
            Assert.That(OracleCheck.Run(runner, generator, seed), Is.Null);
        }
    }

    [TestCase("strings", "INCR", 2)]
    [TestCase("strings", "GETRANGE", 2)]
    [TestCase("bitmaps", "BITPOS", 1)]
    [TestCase("expiry", "PEXPIRETIME", 1)]
    [TestCase("server", "CONFIG", 1)]
    public void A_lie_in_one_commands_reply_is_found_and_shrunk(string family, string verb, int mostSteps)
    {
        var liar = new CorruptingTarget(_left, (step, reply) =>
            step.Commands[^1].Verb == verb && !reply.IsError ? RespValue.Bulk("a lie") : reply);

        AssertFound(liar, family, mostSteps, verb);
    }

    [Test]
    public void A_lie_in_an_errors_text_is_found_and_shrunk()
    {
        var liar = new CorruptingTarget(_left, (_, reply) =>
            reply.IsError && reply.Text.StartsWith("ERR syntax", StringComparison.Ordinal)
                ? RespValue.Error(reply.Text + ".")
                : reply);

        AssertFound(liar, "strings", mostSteps: 1, "syntax error.");
    }

    [Test]
    public void A_lie_that_needs_a_history_shrinks_to_that_history()
    {
        // Wrong only for a counter that something else had set before.
        var liar = new CorruptingTarget(_left, (step, reply) =>
            step.Commands[^1].Verb == "INCR" && reply.Text is "8" or "11" or "101" or "10000"
                ? RespValue.Number(reply.Integer + 1)
                : reply);

        AssertFound(liar, "strings", mostSteps: 2, "INCR");
    }

    [Test]
    public void A_missing_key_in_a_scan_is_found()
    {
        var liar = new CorruptingTarget(_left, (step, reply) =>
            step.Kind == StepKind.FullScan && reply.Items.Count > 1
                ? new RespValue(reply.Kind, [.. reply.Items.Skip(1)])
                : reply);

        AssertFound(liar, "strings,keys", mostSteps: 3, "SCAN");
    }

    [Test]
    public void A_server_that_stops_answering_is_found()
    {
        var liar = new CutOffTarget(_left, verb: "STRLEN");

        AssertFound(liar, "strings", mostSteps: 1, "(no reply)");
    }

    [Test]
    public void The_same_seed_makes_the_same_sequence()
    {
        var generator = RandomCommandGenerator.Of(null);

        Assert.That(
            generator.Sequence(Seed).Select(step => step.ToString()),
            Is.EqualTo(RandomCommandGenerator.Of(null).Sequence(Seed).Select(step => step.ToString())));
    }

    [Test]
    public void Every_command_is_tried_and_succeeds_somewhere()
    {
        // QUIT, SHUTDOWN and MONITOR end or change the connection, subscribers get more than replies: they have
        // end-to-end tests. DEBUG is switched off, and no server is part of a cluster.
        string[] leftOut =
        [
            "QUIT", "SHUTDOWN", "MONITOR", "DEBUG", "PUBLISH", "SPUBLISH", "PUBSUB", "SUBSCRIBE", "UNSUBSCRIBE",
            "PSUBSCRIBE", "PUNSUBSCRIBE", "SSUBSCRIBE", "SUNSUBSCRIBE", "READONLY", "READWRITE",
            "ASKING",
        ];
        var tried = new SortedDictionary<string, (int Calls, int Errors)>(StringComparer.Ordinal);
        var generator = RandomCommandGenerator.Of(null);
        for (var seed = Seed; seed < Seed + 400; seed++)
        {
            var steps = generator.Sequence(seed);
            var replies = _left.Run(steps);
            for (var i = 0; i < steps.Count; i++)
            {
                var verb = steps[i].Commands[^1].Verb;
                var (calls, errors) = tried.GetValueOrDefault(verb);
                tried[verb] = (calls + 1, errors + (replies[i].IsError ? 1 : 0));
            }
        }

        var succeeded = tried.Keys.Where(verb => tried[verb].Errors < tried[verb].Calls).ToList();
        foreach (var verb in succeeded)
        {
            TestContext.Out.WriteLine($"{verb}: {tried[verb].Calls} calls, {tried[verb].Errors} of them errors");
        }

        var wanted = ServerFamily.CommandNames.Select(name => name.ToUpperInvariant()).Except(leftOut);
        Assert.That(succeeded, Is.SupersetOf(wanted));
    }

    private void AssertFound(IOracleTarget liar, string families, int mostSteps, string mentions)
    {
        var runner = new SequenceRunner(liar, _right);
        var generator = RandomCommandGenerator.Of(families);
        for (var seed = Seed; seed < Seed + 200; seed++)
        {
            var failing = generator.Sequence(seed);
            if (runner.FirstDivergence(failing) is null)
            {
                continue;
            }

            var small = new SequenceShrinker(runner).Shrink(failing);
            var divergence = runner.FirstDivergence(small);
            Assert.That(divergence, Is.Not.Null, "the shrunk sequence fails too");
            var report = OracleReport.Print(runner, small, divergence!);
            TestContext.Out.WriteLine($"Seed {seed}: {failing.Count} steps shrunk to {small.Count}:\n{report}");
            Assert.Multiple(() =>
            {
                Assert.That(small, Has.Count.LessThanOrEqualTo(mostSteps), report);
                Assert.That(report, Does.Contain(mentions));
            });
            return;
        }

        Assert.Fail("No sequence of 200 found the lie.");
    }
}
