namespace Strata.Storage.Changes;

/// <summary>A transaction that has begun, and those who were told so; by default none.</summary>
public readonly ref struct ToldTransaction
{
    private readonly ITransactionListener[]? _listeners;
    private readonly IChangeAuthor _author;

    internal ToldTransaction(ITransactionListener[]? listeners, IChangeAuthor author)
    {
        _listeners = listeners;
        _author = author;
    }

    /// <summary>Tells them that it has ended; its leases are still held.</summary>
    /// <param name="isWhole">Whether it has come to its end.</param>
    public void End(bool isWhole)
    {
        if (_listeners == null)
        {
            return;
        }

        foreach (var listener in _listeners)
        {
            listener.Ended(_author, isWhole);
        }
    }
}
