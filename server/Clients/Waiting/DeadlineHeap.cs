
namespace Strata.Server.Clients.Waiting;

/// <summary>Items by their deadline: a binary heap in which each item knows its place, so that any can be taken out in
/// logarithmic time. One thread's, but for the count.</summary>
internal sealed class DeadlineHeap<T>
    where T : class, IHasDeadline
{
    private readonly List<T> _items = [];

    /// <summary>Items; any thread may read it.</summary>
    public int Count => _items.Count;

    /// <summary>The item that is due first; null when there is none.</summary>
    public T? First => _items.Count == 0 ? null : _items[0];

    /// <summary>Takes in an item.</summary>
    public void Add(T item)
    {
        _items.Add(item);
        item.HeapIndex = _items.Count - 1;
        MoveUp(item);
    }

    /// <summary>Takes an item out, if it is in.</summary>
    public void Remove(T item)
    {
        var index = item.HeapIndex;
        if (index < 0)
        {
            return;
        }

        var last = _items[^1];
        _items.RemoveAt(_items.Count - 1);
        item.HeapIndex = -1;
        if (last != item)
        {
            Place(last, index);
            MoveUp(last);
            MoveDown(last);
        }
    }

    private void MoveUp(T item)
    {
        while (item.HeapIndex > 0)
        {
            var above = _items[(item.HeapIndex - 1) / 2];
            if (above.DeadlineMs <= item.DeadlineMs)
            {
                return;
            }

            Exchange(item, above);
        }
    }

    private void MoveDown(T item)
    {
        while (true)
        {
            var child = (2 * item.HeapIndex) + 1;
            if (child >= _items.Count)
            {
                return;
            }

            child += child + 1 < _items.Count && _items[child + 1].DeadlineMs < _items[child].DeadlineMs ? 1 : 0;
            if (item.DeadlineMs <= _items[child].DeadlineMs)
            {
                return;
            }

            Exchange(item, _items[child]);
        }
    }

    private void Exchange(T first, T second)
    {
        var index = first.HeapIndex;
        Place(first, second.HeapIndex);
        Place(second, index);
    }

    private void Place(T item, int index)
    {
        _items[index] = item;
        item.HeapIndex = index;
    }
}
