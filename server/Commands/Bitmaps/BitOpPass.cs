using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Commands.Strings;
using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Strings;

namespace Strata.Server.Commands.Bitmaps;

/// <summary>BITOP of long strings, in steps.</summary>
internal sealed class BitOpPass : StringDraftPass
{
    private readonly BitOperation _operation;
    private readonly Record[] _sources;
    private readonly bool[] _areThere;

    private BitOpPass(
        CommandContext context, BitOperation operation, ReadOnlySpan<Record> sources, int length, long sourceBytes)
        : base(context, context.KeyAt(BitOp.Destination), length, sourceBytes)
    {
        _operation = operation;
        _sources = new Record[sources.Length];
        _areThere = new bool[sources.Length];
        for (var i = 0; i < sources.Length; i++)
        {
            _areThere[i] = !sources[i].IsNull;
        }
    }

    /// <summary>Begins, if it takes long.</summary>
    /// <param name="context">The command.</param>
    /// <param name="operation">What it does.</param>
    /// <param name="sources">The strings; null ones of missing keys.</param>
    /// <param name="length">Bytes of the longest of them.</param>
    /// <param name="sourceBytes">Bytes of all of them.</param>
    /// <returns>Whether the command goes on in steps.</returns>
    public static bool Begins(
        CommandContext context, BitOperation operation, ReadOnlySpan<Record> sources, int length, long sourceBytes)
    {
        if (sources.Length > PassSources.Most || !AreMany(context, sourceBytes))
        {
            return false;
        }

        Span<Key> keys = new Key[1 + sources.Length];
        keys[0] = context.KeyAt(BitOp.Destination);
        for (var i = 0; i < sources.Length; i++)
        {
            keys[i + 1] = context.KeyAt(BitOp.FirstSource + i);
            if (!sources[i].IsNull && !StaysAtHand(context, keys[i + 1], sources[i]))
            {
                return false;
            }
        }

        Begin(context, new BitOpPass(context, operation, sources, length, sourceBytes), keys);
        return true;
    }

    /// <inheritdoc/>
    private protected override bool TryOpen(CommandContext context)
    {
        for (var i = 0; i < _sources.Length; i++)
        {
            if (_areThere[i] && !TryOpen(context, context.KeyAt(BitOp.FirstSource + i), out _sources[i]))
            {
                return false;
            }
        }

        return true;
    }

    /// <inheritdoc/>
    private protected override void Make(CommandContext context, Span<byte> part, int offset)
        => BitCombiner.Combine(_operation, _sources, part, offset);

    /// <inheritdoc/>
    private protected override void Put(CommandContext context, StringDraft draft)
    {
        var key = context.KeyAt(BitOp.Destination);
        _ = context.TryWrite(key, out var existing);
        draft.Put(key, existing, expiryMs: -1, RecordFlags.Edited, existing.IsNull, context.Change(KeyEvent.Set));
        context.Reply.Integer(draft.Value.Length);
    }
}
