namespace Strata.Storage.Changes;

/// <summary>
/// Is told of transactions: what EXEC or a script changes belongs together, and nobody may have a part of it. Between
/// <see cref="Began"/> and <see cref="Ended"/>, and by the same thread, <see cref="IChangeListener"/>s are told of the
/// transaction's changes and of no others; those without an author (a key that one of its commands has found expired)
/// are its as well. Called while the leases of all shards that were changed are held; it must neither change a shard
/// nor throw.
/// </summary>
public interface ITransactionListener
{
    /// <summary>A transaction begins. It may turn out that it changes nothing, or that it begins anew.</summary>
    /// <param name="author">Whose it is.</param>
    void Began(IChangeAuthor author);

    /// <summary>It has ended, also where one of its commands has failed: what was changed stays.</summary>
    /// <param name="author">Whose it is.</param>
    /// <param name="isWhole">False where the server ends in its midst (SHUTDOWN NOSAVE while a script is slow): what it
    /// has changed is nobody's to see.</param>
    void Ended(IChangeAuthor author, bool isWhole);
}
