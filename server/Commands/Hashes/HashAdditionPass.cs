using Strata.Server.Commands.Collections;
using Strata.Server.Commands.Model;
using Strata.Storage.Changes;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Hashes;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Hashes;

/// <summary>HSET and HMSET of many fields, in steps.</summary>
internal sealed class HashAdditionPass : AdditionPass
{
    private DetachedHash _hash;
    private int _next;
    private long _added;

    private HashAdditionPass(CommandContext context, in Record record, int first)
        : base(context, record)
    {
        _hash = new DetachedHash(context.Shard, context.NowMs);
        _next = first;
    }

    /// <summary>Begins, if it takes long.</summary>
    /// <param name="context">The command.</param>
    /// <param name="first">The first argument that is a field.</param>
    /// <returns>Whether the command goes on in steps.</returns>
    public static bool Begins(CommandContext context, int first)
    {
        var fields = (context.Count - first) / 2;
        var isThere = context.TryPeek(context.Key, out var record);
        var isLarge = isThere ? record.IsLarge : fields > HashAccess.LimitsOf(context).MaxEntries;
        if (!isLarge || !IsLongAddition(context, fields, record))
        {
            return false;
        }

        if (!IsElsewhere(context))
        {
            Begin(context, new HashAdditionPass(context, record, first), context.Key);
        }

        return true;
    }

    /// <inheritdoc/>
    private protected override void Copy(in WalkedElement element)
        => _hash.Add(element.Name, element.Value, element.ExpiryMs);

    /// <inheritdoc/>
    private protected override bool TryAdd(CommandContext context, ref int effort)
    {
        for (; _next < context.Count && effort > 0; _next += 2)
        {
            var field = context.Argument(_next);
            var value = context.Argument(_next + 1);
            _added += _hash.Set(field, value) ? 1 : 0;
            effort -= StepEffort.Of(field.Length + value.Length);
        }

        return _next == context.Count;
    }

    /// <inheritdoc/>
    private protected override bool TryPut(CommandContext context, in Record record, ref int effort)
    {
        _hash.Exchange(context.Key, record, context.Change(KeyEvent.HSet));
        FieldsAndValues.Answer(context, _added);
        return true;
    }

    /// <inheritdoc/>
    private protected override void Abandon() => _hash.Dispose();
}
