using NUnit.Framework;
using Strata.Tests.Support;
using static Strata.Tests.Server.Journal.Files.JournalKit;

namespace Strata.Tests.Server.Journal.Files;

/// <summary>The power goes at any moment, the disk writes in any order, and fails: what was synced is there afterwards.
/// <c>POWER_SEED</c> is the first of the random seeds, which is printed, and <c>POWER_SEEDS</c> how many there are.
/// </summary>
[TestFixture]
internal sealed class PowerCutTests
{
    private const string Name = "POWER";
    private const int Lives = 8;
    private const int StepsPerLife = 60;

    [Test]
    public void What_was_synced_is_read_back([Range(0, 19)] int part)
    {
        const int Seeds = 25;
        new SeedRange(part * Seeds, Seeds).Run(Name, Run);
    }

    [Test]
    [Category(TestCategories.Long)]
    public void It_is_under_random_seeds()
    {
        const int Usual = 25;
        SeedRange.FromEnvironment(Name, Usual).Run(Name, Run);
    }

    private static void Run(int seed)
    {
        var disk = new SimulatedDisk(seed);
        var directory = disk.CreateFolder(".", exists: true);
        var folder = disk.CreateFolder("aof", exists: false);
        var history = new JournalHistory();
        for (var number = 0; number < Lives; number++)
        {
            disk.LastChange = disk.Changes + disk.Random.Next(300);
            var failsOneOf = disk.Random.Next(3) switch { 0 => 0, 1 => 100, _ => 12 };
            var life = new JournalLife(disk, NewFiles(directory, folder, (ulong)(seed + number)), history);
            try
            {
                life.Start();
                for (var step = 0; step < StepsPerLife; step++)
                {
                    life.Step(failsOneOf);
                }
            }
            catch (PowerCutException)
            {
                disk.FailsOneOf = 0;
            }

            // A process alone may end, too; but what is lost after a failed sync only the one that saw it knows of.
            if (life.HasLostSync || disk.Random.Next(3) > 0)
            {
                disk.CutPower(directory, folder);
            }
        }

        disk.LastChange = int.MaxValue;
        new JournalLife(disk, NewFiles(directory, folder), history).Start();
    }
}
