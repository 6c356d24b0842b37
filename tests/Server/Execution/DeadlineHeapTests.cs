using NUnit.Framework;
using Strata.Server.Clients.Waiting;

namespace Strata.Tests.Server.Execution;

/// <summary>The heap of deadlines against a list that is sorted.</summary>
public sealed class DeadlineHeapTests
{
    private const int Steps = 50_000;
    private const int StepsBetweenSearches = 17;

    [TestCase(1, 10)]
    [TestCase(2, 1_000)]
    [TestCase(3, 1_000_000)]
    public void It_gives_what_is_due_first_whatever_is_added_and_taken_out(int seed, int deadlines)
    {
        var random = new Random(seed);
        var heap = new DeadlineHeap<Item>();
        var model = new List<Item>();
        var mostItems = 0;
        for (var step = 0; step < Steps; step++)
        {
            // Now more are added than taken out, now the other way round, so that it fills and empties.
            var fills = step / 5_000 % 2 == 0;
            if (model.Count == 0 || random.Next(10) < (fills ? 7 : 3))
            {
                var item = new Item(random.Next(deadlines));
                heap.Add(item);
                model.Add(item);
            }
            else
            {
                var item = random.Next(2) == 0 ? heap.First! : model[random.Next(model.Count)];
                heap.Remove(item);
                Assert.That(model.Remove(item), Is.True);
                Assert.That(item.HeapIndex, Is.EqualTo(-1));
                heap.Remove(item); // who is out already stays out
            }

            mostItems = Math.Max(mostItems, model.Count);
            if (step % StepsBetweenSearches == 0)
            {
                Assert.That(heap.Count, Is.EqualTo(model.Count));
                var least = model.MinBy(item => item.DeadlineMs);
                Assert.That(heap.First?.DeadlineMs, Is.EqualTo(least?.DeadlineMs));
            }
        }

        Assert.That(mostItems, Is.GreaterThan(1_000));
        var rest = new List<long>();
        while (heap.First is { } first)
        {
            rest.Add(first.DeadlineMs);
            heap.Remove(first);
        }

        Assert.That(rest, Is.EqualTo(model.Select(item => item.DeadlineMs).Order()));
    }

    private sealed class Item(long deadlineMs) : IHasDeadline
    {
        public long DeadlineMs { get; } = deadlineMs;

        public int HeapIndex { get; set; } = -1;
    }
}
