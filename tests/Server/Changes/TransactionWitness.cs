using System.Collections.Concurrent;
using Strata.Server.Commands.Model;
using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Sharding;

namespace Strata.Tests.Server.Changes;

/// <summary>Sees that what EXEC and scripts change is told between the beginning and the end of a transaction, by the
/// thread that was told of them, and that nothing of others is.</summary>
internal sealed class TransactionWitness : ITransactionListener, IChangeListener
{
    private readonly ConcurrentDictionary<int, IChangeAuthor> _authors = [];
    private readonly Func<int> _thread;
    private readonly Action<string> _fail;
    private int _transactions;
    private int _changes;

    /// <summary>Listens to all shards.</summary>
    /// <param name="shards">The shards.</param>
    /// <param name="thread">The number of the thread that executes something.</param>
    /// <param name="fail">Is told what is wrong; on any thread.</param>
    public TransactionWitness(ShardMap shards, Func<int> thread, Action<string> fail)
    {
        _thread = thread;
        _fail = fail;
        shards.Transactions.Add(this);
        foreach (var shard in shards.All)
        {
            shard.Changes.Add(this);
        }
    }

    /// <summary>Transactions that have ended whole.</summary>
    public int Transactions => Volatile.Read(ref _transactions);

    /// <summary>Changes within them.</summary>
    public int Changes => Volatile.Read(ref _changes);

    /// <summary>Transactions that have ended in their midst.</summary>
    public int Halves { get; private set; }

    public void Began(IChangeAuthor author)
    {
        if (!_authors.TryAdd(_thread(), author))
        {
            _fail($"the transaction of client {author.Id} begins within another");
        }
    }

    public void Ended(IChangeAuthor author, bool isWhole)
    {
        if (!_authors.TryRemove(_thread(), out var began) || began != author)
        {
            _fail($"the transaction of client {author.Id} ends, which has not begun");
        }

        Interlocked.Add(ref _transactions, isWhole ? 1 : 0);
        Halves += isWhole ? 0 : 1;
    }

    public void BeforeChange(in Key key, in Record record)
    {
    }

    public void Changed(in Key key, in Record record, in Change change) => Check(change.Author);

    public void BeforeClear(int database)
    {
    }

    public void Cleared(int database, IChangeAuthor? author) => Check(author);

    public void BeforeExchange(byte first, byte second)
    {
    }

    public void Exchanged(byte first, byte second, IChangeAuthor? author) => Check(author);

    private void Check(IChangeAuthor? author)
    {
        var current = _authors.GetValueOrDefault(_thread());
        if (author is CommandClient client && current != (client.IsInTransaction ? author : null))
        {
            var whose = current == null ? "no transaction" : $"that of {current.Id}";
            _fail($"a change by client {author.Id} is told within {whose}");
        }

        Interlocked.Add(ref _changes, current != null ? 1 : 0);
    }
}
