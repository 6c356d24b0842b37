using NUnit.Framework;
using Strata.Storage.Runtime;

namespace Strata.Tests.Storage.Runtime;

internal sealed class WorkQueueTests
{
    private readonly WorkQueue _queue = new();
    private readonly Note _first = new();
    private readonly Note _second = new();

    [Test]
    public void Items_are_taken_in_their_order()
    {
        Assert.That(_queue.Add(_first), Is.True, "it was empty");
        Assert.That(_queue.Add(_second), Is.False);
        Assert.That(Taken(), Is.EqualTo(new[] { _first, _second }));
        Assert.That(_queue.IsEmpty);
        Assert.That(_queue.Add(_second), Is.True);
        Assert.That(_queue.Add(_first), Is.False);
        Assert.That(Taken(), Is.EqualTo(new[] { _second, _first }));
    }

    [Test]
    public void An_item_that_stands_in_a_queue_is_added_to_none()
    {
        var other = new WorkQueue();
        _ = _queue.Add(_first);
        _ = _queue.Add(_second);
        Assert.That(() => _queue.Add(_first), Throws.InvalidOperationException);
        Assert.That(() => other.Add(_second), Throws.InvalidOperationException);
        Assert.That(_queue.AddOnce(_first), Is.False);
        Assert.That(other.IsEmpty);
        Assert.That(Taken(), Is.EqualTo(new[] { _first, _second }), "nothing was cut off");
    }

    [Test]
    public void An_item_may_return_as_soon_as_it_is_unlinked()
    {
        _ = _queue.AddOnce(_first);
        _ = _queue.Add(_second);
        var taken = _queue.TakeAll();
        Assert.That(_queue.AddOnce(_first), Is.False, "others hang on it");
        var rest = taken!.Unlink();
        Assert.That(_queue.AddOnce(_first), Is.True);
        Assert.That(rest, Is.SameAs(_second));
        Assert.That(rest!.Unlink(), Is.Null);
        Assert.That(Taken(), Is.EqualTo(new[] { _first }));
    }

    private List<WorkItem> Taken()
    {
        var items = new List<WorkItem>();
        for (var item = _queue.TakeAll(); item != null;)
        {
            items.Add(item);
            item = item.Unlink();
        }

        return items;
    }

    private sealed class Note : WorkItem
    {
        public override void Run(Worker worker) => throw new NotSupportedException("these stand in queues only");
    }
}
