namespace Strata.Server.Journal;

/// <summary>
/// Brings the batches of all shards' queues into their one order: by their sequence numbers, of which none is missing.
/// A number that was drawn, and whose batch cannot be seen yet, is waited for: its holder is about to show it. On the
/// journal's thread.
/// </summary>
internal sealed class EffectMerge
{
    private readonly EffectJournal _journal;
    private readonly PriorityQueue<int, long> _heads = new();
    private readonly bool[] _isListed;

    /// <summary>Begins behind what was told by now.</summary>
    public EffectMerge(EffectJournal journal)
    {
        _journal = journal;
        _isListed = new bool[journal.Queues.Length];
        Taken = journal.LastSequence;
    }

    /// <summary>The number of the last batch that was taken.</summary>
    public long Taken { get; private set; }

    /// <summary>Takes batches, as many as there are in order.</summary>
    /// <param name="stream">Where to.</param>
    /// <param name="last">The last batch that may be taken.</param>
    /// <param name="mostBytes">Of effects, before the rest is left.</param>
    public void Take(JournalStream stream, long last, long mostBytes)
    {
        ListHeads();
        while (Taken < last && stream.BatchBytes < mostBytes)
        {
            if (!TryFindNext(out var number))
            {
                return;
            }

            var queue = _journal.Queues[number];
            queue.Read(stream);
            Taken++;
            List(number, queue);
        }
    }

    private bool TryFindNext(out int number)
    {
        if (IsNextListed(out number))
        {
            return true;
        }

        ListHeads(); // It may have come since.
        return IsNextListed(out number);
    }

    private bool IsNextListed(out int number)
    {
        if (!_heads.TryPeek(out number, out var sequence) || sequence != Taken + 1)
        {
            return false;
        }

        _isListed[number] = false;
        _ = _heads.Dequeue();
        return true;
    }

    private void ListHeads()
    {
        for (var i = 0; i < _isListed.Length; i++)
        {
            if (!_isListed[i])
            {
                List(i, _journal.Queues[i]);
            }
        }
    }

    private void List(int number, EffectQueue queue)
    {
        if (queue.TryPeek(out var sequence))
        {
            _heads.Enqueue(number, sequence);
            _isListed[number] = true;
        }
    }
}
