using NUnit.Framework;
using Strata.Tests.Server.Journal.Files;
using Strata.Tests.Storage.Devices;
using Strata.Tests.Support;

namespace Strata.Tests.Simulation.Durable;

/// <summary>
/// The power goes at any moment of a rewrite that makes a checkpoint, and of what goes on meanwhile; both disks forget
/// what was not synced, in any order, or keep parts of it. What was acknowledged is there after the next start.
/// <c>TIER_SEED</c> is the first of the random seeds, which is printed, and <c>TIER_SEEDS</c> how many there are.
/// </summary>
[TestFixture]
internal sealed class DurableTierTests
{
    private const string Name = "TIER";
    private const int UsualSeeds = 25;
    private const int Lives = 5;
    private const int MostSteps = 900;

    [Test]
    public void What_was_acknowledged_survives_losses_of_power()
    {
        var (recovered, checkpoints) = Run(new SeedRange(1, UsualSeeds));
        Assert.That(recovered, Is.GreaterThan(UsualSeeds), "starts begin with checkpoints");
        Assert.That(checkpoints, Is.GreaterThan(UsualSeeds));
    }

    [Test]
    [Category(TestCategories.Long)]
    public void It_does_under_random_seeds()
    {
        var seeds = SeedRange.FromEnvironment(Name, UsualSeeds);
        var (recovered, checkpoints) = Run(seeds);
        TestContext.Out.WriteLine($"{seeds.Count} seeds, {checkpoints} checkpoints, {recovered} starts with one");
    }

    private static (int Recovered, int Checkpoints) Run(SeedRange seeds)
    {
        var (recovered, checkpoints) = (0, 0);
        seeds.Run(Name, seed => Run(seed, ref recovered, ref checkpoints));
        return (recovered, checkpoints);
    }

    private static void Run(int seed, ref int recovered, ref int checkpoints)
    {
        var disk = new SimulatedDisk(seed);
        using var device = new SimulatedDevice((ulong)seed, segmentBytes: 1 << 20) { ForgetsUnsynced = true };
        var directory = disk.CreateFolder(".", exists: true);
        var folder = disk.CreateFolder("aof", exists: false);
        var history = new TierHistory();
        for (var number = 0; number < Lives; number++)
        {
            var steps = number == Lives - 1 ? 0 : 100 + disk.Random.Next(MostSteps);
            using (var life = new TierLife(disk, directory, folder, device, history))
            {
                life.Start();
                recovered += life.HasRecovered ? 1 : 0;
                disk.LastChange = disk.Changes + 20 + disk.Random.Next(600);
                Live(life, disk, steps);
                disk.LastChange = int.MaxValue;
                checkpoints += life.Checkpoints;
                disk.FailsOneOf = 0;
                device.Faults.Heal();
                device.SyncsBeforeFailure = -1;
                device.Crash();
            }

            disk.CutPower(directory, folder);
        }
    }

    private static void Live(TierLife life, SimulatedDisk disk, int steps)
    {
        for (var step = 0; step < steps && disk.Changes <= disk.LastChange; step++)
        {
            try
            {
                life.Step();
            }
            catch (PowerCutException)
            {
                return; // In the midst of a write, or of a change of names.
            }
        }
    }
}
