using NUnit.Framework;
using Strata.Storage.Collections.Sets;

namespace Strata.Tests.Storage.Collections.Sets;

[TestFixture]
internal sealed class SetEditorTests
{
    private const int Steps = 340_000;
    private const int StepsPerSwing = 10_000;

    /// <summary>The sets grow and shrink in turn, through all forms.</summary>
    [TestCase(1, 20, 12, 60)]
    [TestCase(2, 512, 128, 900)]
    [TestCase(3, 40, 200, 40_000)]
    public void Sets_hold_what_dotnets_hold(int seed, int maxIntegers, int maxMembers, int members)
    {
        using var model = new SetModel(seed, new SetLimits(maxIntegers, maxMembers, 64), members);
        for (var step = 0; step < Steps; step++)
        {
            Assert.That(model.Step(step / StepsPerSwing % 2 == 0), Is.True, $"step {step}");
            if (step % (Steps / 40) == 0)
            {
                Assert.That(model.AgreesWholly(), Is.True, $"after step {step}");
            }

            if (step % (5 * StepsPerSwing) == 0)
            {
                model.Clear();
                Assert.That(model.HeapBytes, Is.Zero, "bytes left in the heap");
            }
        }

        Assert.That(model.AgreesWholly(), Is.True);
        Assert.That(model.Met, Has.All.GreaterThan(1000), "all forms were met");
        model.Clear();
        Assert.That(model.HeapBytes, Is.Zero, "bytes left in the heap");
    }
}
