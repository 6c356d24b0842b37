using NUnit.Framework;
using Strata.Storage.Collections.Sets;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Collections.Sets;

[TestFixture]
internal sealed class SetEditorTests
{
    /// <summary>20,000 steps a sequence. The sets grow and shrink in turn, through all forms.</summary>
    [TestCase(20, 12, 60, 4)]
    [TestCase(20, 12, 60, 17, Category = TestCategories.Long)]
    [TestCase(512, 128, 900, 4)]
    [TestCase(512, 128, 900, 17, Category = TestCategories.Long)]
    [TestCase(40, 200, 40_000, 4)]
    [TestCase(40, 200, 40_000, 17, Category = TestCategories.Long)]
    public void Sets_hold_what_dotnets_hold(int maxIntegers, int maxMembers, int members, int sequences)
    {
        const int StepsPerSwing = 10_000;
        var limits = new SetLimits(maxIntegers, maxMembers, 64);
        var met = new int[3];
        ModelCheck.Run(
            ModelCheck.Swings(
                SetOperation.Generator(SetModel.Keys, members, addPercent: 65),
                SetOperation.Generator(SetModel.Keys, members, addPercent: 35), swings: 2, StepsPerSwing),
            sequences,
            operations => Replay(operations, limits, met));
        Assert.That(met, Has.All.GreaterThan(Math.Min(1000, 150 * sequences)), "all forms were met");
    }

    private static void Replay(SetOperation[] operations, SetLimits limits, int[] met)
    {
        const int StepsBetweenChecks = 8_500;
        using var model = new SetModel(limits, met);
        for (var step = 0; step < operations.Length; step++)
        {
            if (!model.Step(operations[step]) || (step % StepsBetweenChecks == 0 && !model.AgreesWholly()))
            {
                Assert.Fail($"step {step}");
            }
        }

        Assert.That(model.AgreesWholly(), Is.True, "after the last step");
        model.Clear();
        Assert.That(model.HeapBytes, Is.Zero, "bytes left in the heap");
    }
}
