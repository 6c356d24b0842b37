namespace Strata.Storage.Runtime;

/// <summary>Objects of one kind that a worker lends out and keeps for use again. It belongs to the worker's thread.
/// </summary>
/// <typeparam name="T">What is lent. If it can be disposed of, that is done with what is not kept.</typeparam>
/// <param name="make">Makes one more.</param>
/// <param name="clear">Makes one that comes back as good as new.</param>
/// <param name="mostKept">How many are kept while they are not lent.</param>
public sealed class Pool<T>(Func<T> make, Action<T> clear, int mostKept = int.MaxValue) : IDisposable
    where T : class
{
    private readonly Stack<T> _kept = new();

    /// <summary>Objects that are lent out.</summary>
    public int Lent { get; private set; }

    /// <summary>Objects that wait for use.</summary>
    public IReadOnlyCollection<T> Kept => _kept;

    /// <summary>Lends an object, which holds nothing.</summary>
    public T Rent()
    {
        Lent++;
        return _kept.TryPop(out var item) ? item : make();
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
            (item as IDisposable)?.Dispose();
        }
    }

    /// <summary>Disposes of what is kept.</summary>
    public void Dispose()
    {
        while (_kept.TryPop(out var item))
        {
            (item as IDisposable)?.Dispose();
        }
    }
}
