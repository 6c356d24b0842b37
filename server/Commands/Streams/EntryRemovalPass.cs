using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Changes;
using Strata.Storage.Collections.Streams;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Streams;

/// <summary>XDEL of many ids from a large stream, in steps: from a copy of its entries, which takes their place in the
/// last one.</summary>
internal sealed class EntryRemovalPass : RewritePass
{
    // What an id takes: its entry is looked for in a block.
    private const int EffortOfId = 5;

    // Entries are copied if that takes at most so many times what the change does.
    private const int MostCopied = 16;

    private readonly EntriesCopy _rest;
    private int _next = XDel.FirstId;
    private int _deleted;

    private EntryRemovalPass(CommandContext context, in Record record)
        : base(context, context.Shard)
    {
        _rest = new EntriesCopy(context.Shard, record);
    }

    /// <summary>Begins, if it takes long.</summary>
    /// <returns>Whether the command goes on in steps.</returns>
    public static bool Begins(CommandContext context)
    {
        var effort = (long)(context.Count - XDel.FirstId) * EffortOfId;
        if (!IsLong(context, effort) || !context.TryPeek(context.Key, out var record)
            || record.Type != RecordType.Stream || !record.IsLarge
            || EntriesCopy.EffortOf(new StreamView(record)) / MostCopied > effort)
        {
            return false;
        }

        if (!IsElsewhere(context))
        {
            Begin(context, new EntryRemovalPass(context, record), context.Key);
        }

        return true;
    }

    /// <inheritdoc/>
    private protected override bool TryRewrite(CommandContext context)
    {
        if (!context.TryWrite(context.Key, out var record))
        {
            return false; // It has gone, and the command begins anew.
        }

        long effort = EffortOfStep(context);
        if (!_rest.TryCopy(ref effort))
        {
            return false;
        }

        for (; _next < context.Count; _next++, effort -= EffortOfId)
        {
            if (effort <= 0)
            {
                return false;
            }

            if (!StreamArguments.TryId(context, _next, out var id))
            {
                AbandonNow();
                return true;
            }

            _deleted += _rest.Delete(id) ? 1 : 0;
        }

        if (_deleted > 0)
        {
            var stream = StreamAccess.Open(context, context.Key, record);
            stream.Exchange(_rest);
            stream.End(context.Change(KeyEvent.XDel));
        }

        context.Reply.Integer(_deleted);
        return true;
    }

    /// <inheritdoc/>
    private protected override void Abandon() => _rest.Abandon();
}
