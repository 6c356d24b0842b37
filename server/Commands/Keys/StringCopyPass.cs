using Strata.Server.Commands.Model;
using Strata.Server.Commands.Strings;
using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Strings;

namespace Strata.Server.Commands.Keys;

/// <summary>COPY of a long string, in steps.</summary>
internal sealed unsafe class StringCopyPass : StringDraftPass
{
    private readonly int _database;
    private Record _source;

    private StringCopyPass(CommandContext context, int database, in Key destination, int length)
        : base(context, destination, length, length)
    {
        _database = database;
    }

    /// <summary>Begins, if it takes long.</summary>
    /// <param name="context">The command: a key, and another one.</param>
    /// <param name="record">What is copied.</param>
    /// <param name="database">The database of the other key.</param>
    /// <returns>Whether the command goes on in steps.</returns>
    public static bool Begins(CommandContext context, in Record record, int database)
    {
        var (source, destination) = (context.KeyAt(1), context.KeyAt(2, database));
        if (!AreMany(context, record.ValueLength) || !StaysAtHand(context, source, record))
        {
            return false;
        }

        Begin(context, new StringCopyPass(context, database, destination, record.ValueLength), source, destination);
        return true;
    }

    /// <inheritdoc/>
    private protected override bool TryOpen(CommandContext context)
        => TryOpen(context, context.KeyAt(1), out _source);

    /// <inheritdoc/>
    private protected override void Make(CommandContext context, Span<byte> part, int offset)
        => _source.Value.Slice(offset, part.Length).CopyTo(part);

    /// <inheritdoc/>
    private protected override void Put(CommandContext context, StringDraft draft)
    {
        var key = context.KeyAt(2, _database);
        _ = context.TryWrite(key, out var existing);
        draft.Put(
            key, existing, _source.ExpiryMs, _source.Flags, isNew: true, context.Change(KeyEvent.CopyTo));
        context.Reply.Integer(1);
    }
}
