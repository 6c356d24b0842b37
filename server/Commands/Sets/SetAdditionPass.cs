using Strata.Server.Commands.Collections;
using Strata.Server.Commands.Model;
using Strata.Storage.Changes;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Sets;

/// <summary>SADD of many members, in steps.</summary>
internal sealed class SetAdditionPass : AdditionPass
{
    private DetachedSet _set;
    private int _next;
    private long _added;

    private SetAdditionPass(CommandContext context, in Record record, int first)
        : base(context, record)
    {
        _set = new DetachedSet(context.Shard);
        _next = first;
    }

    /// <summary>Begins, if it takes long.</summary>
    /// <param name="context">The command.</param>
    /// <param name="first">The first argument that is a member.</param>
    /// <returns>Whether the command goes on in steps.</returns>
    public static bool Begins(CommandContext context, int first)
    {
        var members = context.Count - first;
        var isThere = context.TryPeek(context.Key, out var record);
        var isLarge = isThere ? record.IsLarge : SetAccess.LimitsOf(context).AreExceededBy(members);
        if (!isLarge || !IsLongAddition(context, members, record))
        {
            return false;
        }

        if (!IsElsewhere(context))
        {
            Begin(context, new SetAdditionPass(context, record, first), context.Key);
        }

        return true;
    }

    /// <inheritdoc/>
    private protected override void Copy(in WalkedElement element) => _ = _set.Add(element.Name);

    /// <inheritdoc/>
    private protected override bool TryAdd(CommandContext context, ref int effort)
    {
        for (; _next < context.Count && effort > 0; _next++)
        {
            var member = context.Argument(_next);
            _added += _set.Add(member) ? 1 : 0;
            effort -= StepEffort.Of(member.Length);
        }

        return _next == context.Count;
    }

    /// <inheritdoc/>
    private protected override bool TryPut(CommandContext context, in Record record, ref int effort)
    {
        if (_added > 0)
        {
            _set.Exchange(context.Key, record, context.Change(KeyEvent.SAdd));
        }

        context.Reply.Integer(_added);
        return true;
    }

    /// <inheritdoc/>
    private protected override void Abandon() => _set.Dispose();
}
