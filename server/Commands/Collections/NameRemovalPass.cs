using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Runtime;
using Strata.Storage.Changes;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Collections;

/// <summary>HDEL, SREM and ZREM of many names from a large collection, in steps.</summary>
internal sealed class NameRemovalPass : RewritePass
{
    private const int FirstName = 2;

    private readonly KeyEvent _what;
    private readonly long _nowMs;
    private readonly CollectionCopy _rest;
    private DetachedSet _names;
    private bool _hasNames;
    private int _next = FirstName;

    private NameRemovalPass(CommandContext context, in Record record, KeyEvent what)
        : base(context, context.Shard)
    {
        _what = what;
        _nowMs = context.NowMs;
        _rest = new CollectionCopy(record, context.Shard, PackingLimits.Of(context.Server.Configuration.Current));
    }

    /// <summary>Begins, if it takes long.</summary>
    /// <param name="context">The command: a key and names.</param>
    /// <param name="what">What is told of it.</param>
    /// <returns>Whether the command goes on in steps.</returns>
    public static bool Begins(CommandContext context, KeyEvent what)
    {
        var names = context.Count - FirstName;
        if (!IsLong(context, names) || !context.TryPeek(context.Key, out var record) || !record.IsLarge
            || !IsLongChange(
                context, names, ShardCollections.CountOf(record), ShardCollections.WeightOf(record)))
        {
            return false;
        }

        if (!IsElsewhere(context))
        {
            Begin(context, new NameRemovalPass(context, record, what), context.Key);
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

        if (!_hasNames)
        {
            _names = new DetachedSet(context.Shard);
            _hasNames = true;
        }

        var effort = EffortOfStep(context);
        while (_next < context.Count)
        {
            var name = context.Argument(_next++);
            _ = _names.Add(name);
            effort -= StepEffort.Of(name.Length);
            if (effort <= 0)
            {
                return false;
            }
        }

        if (!_rest.StepWithout(effort, _names, _nowMs))
        {
            return false;
        }

        if (_rest.LeftOut > 0)
        {
            _rest.Exchange(context.Key, record, context.Change(_what));
        }

        context.Reply.Integer(_rest.LeftOut);
        return true;
    }

    /// <inheritdoc/>
    private protected override void Abandon()
    {
        _names.Dispose();
        _rest.Abandon();
    }

    /// <inheritdoc/>
    private protected override void Free() => _rest.Free();
}
