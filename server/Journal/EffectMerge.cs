namespace Strata.Server.Journal;

/// <summary>
/// Brings the batches of all shards' queues into their one order: by their sequence numbers, of which none is missing.
/// A number that was drawn, and whose batch cannot be seen yet, is waited for: its holder is about to show it. On the
/// journal's thread.
/// </summary>
internal sealed class EffectMerge
{
    private const long None = 0; // Numbers begin at 1.

    private readonly EffectJournal _journal;

    // The number of each queue's oldest batch, if one was seen. The next number is mostly among them, and found by a
    // search that compares several at a time: faster than a heap for as many queues as there are.
    private readonly long[] _heads;

    /// <summary>Begins behind what was told by now.</summary>
    public EffectMerge(EffectJournal journal)
    {
        _journal = journal;
        _heads = new long[journal.Queues.Length];
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
        while (Taken < last && stream.BatchBytes < mostBytes)
        {
            var number = _heads.IndexOf(Taken + 1);
            if (number < 0)
            {
                LookForHeads(); // It may have come since.
                number = _heads.IndexOf(Taken + 1);
                if (number < 0)
                {
                    return;
                }
            }

            var queue = _journal.Queues[number];
            queue.Read(stream);
            Taken++;
            _heads[number] = HeadOf(queue);
        }
    }

    private void LookForHeads()
    {
        for (var i = 0; i < _heads.Length; i++)
        {
            if (_heads[i] == None)
            {
                _heads[i] = HeadOf(_journal.Queues[i]);
            }
        }
    }

    private static long HeadOf(EffectQueue queue) => queue.TryPeek(out var sequence) ? sequence : None;
}
