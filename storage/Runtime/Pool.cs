using Strata.Storage.Memory;

namespace Strata.Storage.Runtime;

/// <summary>Objects of one kind that a worker lends out and keeps for use again. It belongs to the worker's thread.
/// </summary>
/// <typeparam name="T">What is lent. If it can be disposed of, that is done with what is not kept.</typeparam>
/// <param name="make">Makes one more.</param>
/// <param name="clear">Makes one that comes back as good as new.</param>
/// <param name="mostKept">How many are kept while they are not lent.</param>
/// <param name="budget">What they are charged to, of which clients may make the server have many.</param>
/// <param name="itemBytes">Managed memory that one takes, about.</param>
public sealed class Pool<T>(
    Func<T> make, Action<T> clear, int mostKept = int.MaxValue, MemoryBudget? budget = null, int itemBytes = 0)
    : IDisposable
    where T : class
{
    private readonly Stack<T> _kept = new();
    private MemoryCharge _charge = new(budget);

    /// <summary>Objects that are lent out.</summary>
    public int Lent { get; private set; }

    /// <summary>Bytes charged to the budget for the objects themselves, lent or not.</summary>
    public long ChargedBytes => _charge.Bytes;

    /// <summary>Objects that wait for use.</summary>
    public IReadOnlyCollection<T> Kept => _kept;

    /// <summary>Lends an object, which holds nothing.</summary>
    public T Rent()
    {
        Lent++;
        return _kept.TryPop(out var item) ? item : Make();
    }

    /// <summary>Takes an object back.</summary>
    public void Return(T item)
    {
        Lent--;
        clear(item);
        if (_kept.Count < mostKept)
        {
            _kept.Push(item);
        }
        else
        {
            Drop(item);
        }
    }

    /// <summary>Disposes of what is kept.</summary>
    public void Dispose()
    {
        while (_kept.TryPop(out var item))
        {
            Drop(item);
        }
    }

    private T Make()
    {
        var item = make();
        _charge.Set(_charge.Bytes + itemBytes);
        return item;
    }

    private void Drop(T item)
    {
        (item as IDisposable)?.Dispose();
        _charge.LeaveToCollector(itemBytes);
    }
}
