using Strata.Server.Commands.Model;
using Strata.Server.Execution.Leases;
using Strata.Storage.Changes;
using Strata.Storage.Index;

namespace Strata.Server.Execution;

/// <summary>
/// What listeners are told when a command ends with an error that it did not expect. One that has several elements may
/// have stored some of them when memory runs out, and they stay. Memory cannot be reserved for all before: what an
/// element needs (a slab of its class, a page of the log, a bucket of a table that is split, a node of a tree) follows
/// from those before it, and each collection would have to say so twice. So what holds for all commands, and for the
/// bugs of a handler, stands here once: of each key that was told of before a change, and not after it, it is told now
/// what it has become. All leases are held still.
/// </summary>
internal sealed class InterruptedChanges : IShardSet
{
    private readonly CommandContext _context;

    private InterruptedChanges(CommandContext context)
    {
        _context = context;
    }

    /// <summary>Tells of the keys of a command.</summary>
    public static void Tell(CommandContext context)
    {
        if (context.Row.Has(CommandFlags.Write))
        {
            CommandShards.Add(context, new InterruptedChanges(context));
        }
    }

    /// <inheritdoc/>
    public void Add(in Key key)
    {
        var shard = _context.ShardOf(key);
        if (shard.Changes.MayBeUnderWay(key))
        {
            // Its record is at hand, as the command has looked it up, and nothing has expired by then.
            _ = shard.Find(key, nowMs: 0, _context.Cold, out var record);
            shard.Changes.Tell(key, record, _context.Change(KeyEvent.Interrupted));
        }
    }

    /// <inheritdoc/>
    public void Add(int shard)
    {
        // What is no key's changes as a whole.
    }

    /// <inheritdoc/>
    public void AddAll()
    {
    }
}
