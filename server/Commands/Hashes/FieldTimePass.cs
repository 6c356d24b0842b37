using Strata.Server.Commands.Collections;
using Strata.Server.Commands.Model;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Hashes;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Hashes;

/// <summary>HEXPIRE, HPERSIST and their like of many fields, in steps.</summary>
internal sealed class FieldTimePass : AdditionPass
{
    // A field is found, made anew with its time, and finds its place among those that expire.
    private const int EffortOfField = 2;

    private readonly FieldTimeChange _change;
    private readonly FieldList _fields;
    private DetachedHash _hash;
    private int _next;
    private long _changed;

    private FieldTimePass(CommandContext context, in Record record, in FieldTimeChange change, FieldList fields)
        : base(context, record)
    {
        _change = change;
        _fields = fields;
        _hash = new DetachedHash(context.Shard, change.NowMs);
    }

    /// <summary>Begins, if it takes long.</summary>
    /// <param name="context">The command, whose key is a hash or missing.</param>
    /// <param name="change">What becomes of the fields.</param>
    /// <param name="fields">Where they are.</param>
    /// <returns>Whether the command goes on in steps.</returns>
    public static bool Begins(CommandContext context, in FieldTimeChange change, FieldList fields)
    {
        _ = context.TryPeek(context.Key, out var record);
        if (!IsLongAddition(context, (long)fields.Count * EffortOfField, record))
        {
            return false;
        }

        if (!IsElsewhere(context))
        {
            Begin(context, new FieldTimePass(context, record, change, fields), context.Key);
        }

        return true;
    }

    /// <inheritdoc/>
    private protected override void Copy(in WalkedElement element)
        => _hash.Add(element.Name, element.Value, element.ExpiryMs);

    /// <inheritdoc/>
    private protected override bool TryAdd(CommandContext context, ref int effort)
    {
        if (_next == 0)
        {
            Reply.Array(_fields.Count);
        }

        for (; _next < _fields.Count && effort > 0; _next++)
        {
            var field = context.Argument(_fields.First + _next);
            Reply.Integer(Apply(field));
            effort -= EffortOfField + StepEffort.Of(field.Length);
        }

        return _next == _fields.Count;
    }

    /// <inheritdoc/>
    private protected override bool TryPut(CommandContext context, in Record record, ref int effort)
    {
        if (_changed > 0)
        {
            _hash.ExchangeTimes(context.Key, record, context.Change(_change.What));
            FieldExpiration.TellEffect(context, _change.ExpiryMs, _fields);
        }

        context.Reply.TakeFrom(Reply);
        return true;
    }

    /// <inheritdoc/>
    private protected override void Abandon() => _hash.Dispose();

    private int Apply(ReadOnlySpan<byte> field)
    {
        if (!_hash.TryGetExpiry(field, out var presentMs))
        {
            return FieldList.MissingField;
        }

        var result = _change.ResultFor(presentMs);
        if (result == FieldTimeChange.Deleted)
        {
            _hash.Remove(field);
        }
        else if (result == FieldTimeChange.Updated)
        {
            _hash.SetExpiry(field, _change.ExpiryMs);
        }
        else
        {
            return result;
        }

        _changed++;
        return result;
    }
}
