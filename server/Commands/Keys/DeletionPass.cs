using Strata.Server.Clients.Waiting;
using Strata.Server.Commands.Blocking;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Changes;
using Strata.Storage.Collections;

namespace Strata.Server.Commands.Keys;

/// <summary>DEL and UNLINK of very many keys, in steps. Each key goes by itself: what others do between two steps comes
/// between two keys.</summary>
internal sealed class DeletionPass : KeyPass, IUnrepeatable
{
    // What it takes to look a key up and take it out, beside its name.
    private const int EffortOfKey = 3;

    private int _next = 1;
    private long _deleted;

    private DeletionPass(CommandContext context)
        : base(context)
    {
    }

    /// <summary>Goes on with a command, or begins with it, if it has very many keys.</summary>
    /// <returns>False when it is to be executed in one go.</returns>
    public static bool Executes(CommandContext context)
        => ExecutesOneByOne(context, 0, static (context, _) => new DeletionPass(context));

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context)
    {
        var (first, before) = (_next, _deleted);
        var isDone = TryDelete(context);
        if (_deleted > before && context.Effects is { } effects)
        {
            effects.Begin(_next - first + 1, "DEL"u8);
            for (var i = first; i < _next; i++)
            {
                effects.Argument(context.Argument(i));
            }
        }

        if (isDone)
        {
            context.Reply.Integer(_deleted);
        }

        return isDone;
    }

    private bool TryDelete(CommandContext context)
    {
        var effort = EffortOfStep(context);
        var change = context.Change(KeyEvent.Del);
        foreach (var key in context.KeysFrom(_next))
        {
            if (effort <= 0)
            {
                return false;
            }

            if (KeyWait.MustLetPass(context, key))
            {
                context.Postponed = Postponement.LetsPass;
                return false;
            }

            _deleted += context.ShardOf(key).TryRemove(key, context.NowMs, context.Cold, change) ? 1 : 0;
            _next++;
            effort -= EffortOfKey + StepEffort.Of(key.Length);
        }

        return true;
    }
}
