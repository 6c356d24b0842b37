using System.Runtime.CompilerServices;

namespace Strata.Storage.Changes;

/// <summary>Where transactions are told of, as <see cref="ShardChanges"/> tells what they change. While nobody listens,
/// that costs one look at a field.</summary>
public sealed class TransactionSeam
{
    private volatile ITransactionListener[]? _listeners;

    /// <summary>Tells a listener of what begins from now on. Any thread.</summary>
    public void Add(ITransactionListener listener)
    {
        ITransactionListener[]? before;
        do
        {
            before = _listeners;
        }
        while (Interlocked.CompareExchange(ref _listeners, [.. before ?? [], listener], before) != before);
    }

    /// <summary>Tells a listener no longer. Any thread; it may be told of what is under way.</summary>
    public void Remove(ITransactionListener listener)
    {
        ITransactionListener[]? before;
        ITransactionListener[]? after;
        do
        {
            before = _listeners;
            var others = Array.FindAll(before ?? [], other => other != listener);
            after = others.Length == 0 ? null : others;
        }
        while (Interlocked.CompareExchange(ref _listeners, after, before) != before);
    }

    /// <summary>Tells that a transaction begins; its leases are held.</summary>
    /// <param name="author">Whose it is.</param>
    /// <returns>Who has been told, and is to be told of its end.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ToldTransaction Begin(IChangeAuthor author)
    {
        var listeners = _listeners;
        if (listeners != null)
        {
            TellBegan(listeners, author);
        }

        return new ToldTransaction(listeners, author);
    }

    private static void TellBegan(ITransactionListener[] listeners, IChangeAuthor author)
    {
        foreach (var listener in listeners)
        {
            listener.Began(author);
        }
    }
}
