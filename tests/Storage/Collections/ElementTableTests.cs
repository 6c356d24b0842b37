using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Collections;

[TestFixture]
internal sealed unsafe class ElementTableTests
{
    /// <summary>Up to a million steps. The number of elements swings, so that buckets are split and merged all the
    /// time.</summary>
    [TestCase(30, 40, 1_250)]
    [TestCase(30, 200, 1_250, Category = TestCategories.Long)]
    [TestCase(1_000, 10, 5_000)]
    [TestCase(1_000, 50, 5_000, Category = TestCategories.Long)]
    [TestCase(100_000, 1, 62_500)]
    [TestCase(100_000, 4, 62_500, Category = TestCategories.Long)]
    public void Agrees_with_a_dictionary(int keys, int sequences, int stepsPerSwing)
    {
        const int Swings = 4;
        ModelCheck.Run(
            ModelCheck.Swings(
                TableOperation.Generator(keys, setPercent: 50, removePercent: 20),
                TableOperation.Generator(keys, setPercent: 20, removePercent: 50), Swings, stepsPerSwing),
            sequences,
            operations => Replay(operations, stepsBetweenChecks: stepsPerSwing / 5));
    }

    [Test]
    public void Grows_and_shrinks_one_bucket_at_a_time()
    {
        using var model = new TableModel();
        for (var i = 0; i < 200_000; i++)
        {
            var before = model.Table->BucketCount;
            _ = model.Set(i, i);
            Assert.That(model.Table->BucketCount - before, Is.LessThanOrEqualTo(1));
        }

        Assert.That((double)model.Table->SizeBytes / model.Table->Count, Is.LessThan(14.5), "bytes an element");
        for (var i = 0; i < 199_990; i++)
        {
            var before = model.Table->BucketCount;
            _ = model.Remove(i);
            Assert.That(before - model.Table->BucketCount, Is.LessThanOrEqualTo(1));
        }

        Assert.That(model.Table->BucketCount, Is.LessThan(10));
        Assert.That(model.AgreesWholly(), Is.True);
    }

    [Test]
    public void Holds_what_was_expected_without_growing()
    {
        using var model = new TableModel(expected: 1000);
        var buckets = model.Table->BucketCount;
        for (var i = 0; i < 1000; i++)
        {
            _ = model.Set(i, i);
        }

        Assert.That(model.Table->BucketCount, Is.EqualTo(buckets));
        Assert.That(model.AgreesWholly(), Is.True);
    }

    /// <summary>SCAN's guarantee: what is there from the first call to the last is met, whatever comes and goes.
    /// </summary>
    [TestCase(1, true)]
    [TestCase(2, false)]
    public void A_cursor_meets_all_that_stay(int seed, bool isGrowing)
    {
        const int Staying = 1000;
        const int Passing = 20_000;
        var random = new Random(seed);
        for (var round = 0; round < 20; round++)
        {
            using var model = new TableModel();
            for (var i = 0; i < Staying + (isGrowing ? 0 : Passing); i++)
            {
                _ = model.Set(i, i);
            }

            var met = new HashSet<long>();
            var passing = Staying;
            var cursor = 0UL;
            do
            {
                cursor = model.Table->NextCursor(cursor, out var bucket);
                for (var chain = model.Table->ChainOf(bucket); chain.TryNext(out var block);)
                {
                    _ = met.Add(TableModel.KeyOf(block));
                }

                for (var i = random.Next(60); i > 0 && passing < Staying + Passing; i--)
                {
                    _ = isGrowing ? model.Set(passing++, 0) : model.Remove(passing++);
                }
            }
            while (cursor != 0);

            Assert.That(Enumerable.Range(0, Staying).Where(key => !met.Contains(key)), Is.Empty);
        }
    }

    /// <summary>Pearson's test: with 199 degrees of freedom the sum exceeds 300 once in 100,000 times.</summary>
    [Test]
    public void Draws_give_each_element_the_same_chance()
    {
        const int Elements = 200;
        const int DrawsPerElement = 1000;
        using var model = new TableModel();
        for (var i = 0; i < Elements; i++)
        {
            _ = model.Set(i, i);
        }

        var random = new Random(1);
        var drawn = new long[Elements];
        for (var i = 0; i < Elements * DrawsPerElement; i++)
        {
            drawn[TableModel.KeyOf(model.Table->Draw(random))]++;
        }

        var sum = drawn.Sum(n => (double)(n - DrawsPerElement) * (n - DrawsPerElement) / DrawsPerElement);
        Assert.That(sum, Is.LessThan(300));
    }

    private static void Replay(TableOperation[] operations, int stepsBetweenChecks)
    {
        using var model = new TableModel();
        for (var step = 0; step < operations.Length; step++)
        {
            var key = operations[step].Key;
            var isRight = operations[step].Kind switch
            {
                TableOperationKind.Find => model.Agrees(key),
                TableOperationKind.Set => model.Set(key, step),
                _ => model.Remove(key),
            };
            if (!isRight || (step % stepsBetweenChecks == 0 && !model.AgreesWholly()))
            {
                Assert.Fail($"step {step}");
            }
        }

        Assert.That(model.AgreesWholly(), Is.True, "after the last step");
        Assert.That(model.Free(), Is.Zero, "bytes left in the heap");
    }
}
