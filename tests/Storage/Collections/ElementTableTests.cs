using NUnit.Framework;

namespace Strata.Tests.Storage.Collections;

[TestFixture]
internal sealed unsafe class ElementTableTests
{
    /// <summary>The number of elements swings, so that buckets are split and merged all the time.</summary>
    [TestCase(1, 30)]
    [TestCase(2, 1_000)]
    [TestCase(3, 100_000)]
    public void Agrees_with_a_dictionary_over_a_million_steps(int seed, int keys)
    {
        const int Steps = 1_000_000;
        const int StepsPerSwing = 300_000;
        var random = new Random(seed);
        using var model = new TableModel();
        for (var step = 0; step < Steps; step++)
        {
            var key = random.NextInt64(keys);
            var isGrowing = step / StepsPerSwing % 2 == 0;
            var isRight = random.Next(10) switch
            {
                < 3 => model.Agrees(key),
                < 8 => isGrowing ? model.Set(key, step) : model.Remove(key),
                _ => isGrowing ? model.Remove(key) : model.Set(key, step),
            };
            Assert.That(isRight, Is.True, $"step {step}");
            if (step % (Steps / 20) == 0)
            {
                Assert.That(model.AgreesWholly(), Is.True, $"after step {step}");
            }
        }

        Assert.That(model.AgreesWholly(), Is.True);
        Assert.That(model.Free(), Is.Zero, "bytes left in the heap");
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
}
