using Strata.Storage.Memory;

namespace Strata.Server.Persistence;

/// <summary>The blocks between who reads a file and the workers that load it: a queue for each group of shards, which
/// one worker at a time works at, so that the keys of a shard are loaded in their order. Any thread; locked for a block
/// at a time, not for a key.</summary>
internal sealed class LoadQueues : IDisposable
{
    private readonly Lock _lock = new();
    private readonly Stack<LoadBlock> _free = new();
    private readonly Queue<LoadBlock>[] _queues;
    private readonly bool[] _isTaken;

    /// <summary>Empty queues.</summary>
    /// <param name="groups">How many.</param>
    /// <param name="budget">What blocks are charged to.</param>
    public LoadQueues(int groups, MemoryBudget budget)
    {
        _queues = new Queue<LoadBlock>[groups];
        _isTaken = new bool[groups];
        for (var i = 0; i < groups; i++)
        {
            _queues[i] = new Queue<LoadBlock>();
        }

        for (var i = 0; i < groups * ServerLimits.LoadBlocksPerWorker; i++)
        {
            _free.Push(new LoadBlock(budget));
        }
    }

    /// <summary>Whether nothing is in a queue, and nobody works at one.</summary>
    public bool IsIdle
    {
        get
        {
            lock (_lock)
            {
                return !_isTaken.AsSpan().Contains(true) && Array.TrueForAll(_queues, queue => queue.Count == 0);
            }
        }
    }

    /// <summary>Whether somebody works at a queue.</summary>
    public bool IsAtWork
    {
        get
        {
            lock (_lock)
            {
                return _isTaken.AsSpan().Contains(true);
            }
        }
    }

    /// <summary>Takes an empty block.</summary>
    /// <returns>Null while all are in use.</returns>
    public LoadBlock? Rent()
    {
        lock (_lock)
        {
            return _free.TryPop(out var block) ? block : null;
        }
    }

    /// <summary>A block is filled.</summary>
    public void Add(LoadBlock block)
    {
        lock (_lock)
        {
            _queues[block.Group].Enqueue(block);
        }
    }

    /// <summary>Takes a queue that nobody works at and that has blocks.</summary>
    /// <param name="preferred">The one that is looked at first.</param>
    /// <returns>Its first block, with which the queue is to be given back; null where there is none.</returns>
    public LoadBlock? TryTake(int preferred)
    {
        lock (_lock)
        {
            for (var i = 0; i < _queues.Length; i++)
            {
                var group = (preferred + i) % _queues.Length;
                if (!_isTaken[group] && _queues[group].TryDequeue(out var block))
                {
                    _isTaken[group] = true;
                    return block;
                }
            }

            return null;
        }
    }

    /// <summary>Takes a queue that nobody works at and that is empty.</summary>
    public bool TryTakeEmpty(int group)
    {
        lock (_lock)
        {
            var isFree = !_isTaken[group] && _queues[group].Count == 0;
            _isTaken[group] |= isFree;
            return isFree;
        }
    }

    /// <summary>Gives back a queue that was taken with a block, which is free from here on.</summary>
    public void GiveBack(LoadBlock block)
    {
        block.Clear();
        lock (_lock)
        {
            _free.Push(block);
            _isTaken[block.Group] = false;
        }
    }

    /// <summary>Gives back a queue that was taken empty.</summary>
    public void GiveBack(int group)
    {
        lock (_lock)
        {
            _isTaken[group] = false;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        while (_free.TryPop(out var block))
        {
            block.Dispose();
        }

        foreach (var queue in _queues)
        {
            while (queue.TryDequeue(out var block))
            {
                block.Dispose();
            }
        }
    }
}
