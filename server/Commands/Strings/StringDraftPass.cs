using Strata.Server.Commands.Model;
using Strata.Storage.Index;
using Strata.Storage.Strings;

namespace Strata.Server.Commands.Strings;

/// <summary>Makes a long string of others in steps, beside what its key is until the last one.</summary>
internal abstract class StringDraftPass : StringPass
{
    private readonly StringDraft _draft;
    private readonly int _length;
    private int _made;

    /// <param name="context">The command.</param>
    /// <param name="key">The key that the string is for.</param>
    /// <param name="length">Its bytes.</param>
    /// <param name="sourceBytes">Bytes of the strings that it is made of.</param>
    private protected StringDraftPass(CommandContext context, in Key key, int length, long sourceBytes)
        : base(context)
    {
        _draft = new StringDraft(context.ShardOf(key), key, length, sourceBytes);
        _length = length;
        Share = (int)Math.Clamp(1 + (sourceBytes / Math.Max(length, 1)), 1, BytesPerUnit);
    }

    /// <summary>Bytes that are read for one that is written, about.</summary>
    private int Share { get; }

    /// <inheritdoc/>
    public override void Dispose()
    {
        base.Dispose();
        _draft.Dispose();
    }

    /// <summary>Looks up what the string is made of.</summary>
    /// <returns>False when some of it cannot be seen any more.</returns>
    private protected abstract bool TryOpen(CommandContext context);

    /// <summary>Makes a part of the string.</summary>
    /// <param name="context">The command.</param>
    /// <param name="part">The bytes.</param>
    /// <param name="offset">Where they begin.</param>
    private protected abstract void Make(CommandContext context, Span<byte> part, int offset);

    /// <summary>Makes the string the key's, and answers.</summary>
    private protected abstract void Put(CommandContext context, StringDraft draft);

    /// <inheritdoc/>
    private protected sealed override bool TryStep(CommandContext context)
    {
        if (!TryOpen(context))
        {
            return false;
        }

        var bytes = Math.Min(Math.Max(1, BytesOfStep(context) / Share), _length - _made);
        Make(context, _draft.Value.Slice(_made, bytes), _made);
        _made += bytes;
        if (_made < _length)
        {
            return false;
        }

        Put(context, _draft);
        return true;
    }
}
