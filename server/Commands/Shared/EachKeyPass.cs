using Strata.Server.Commands.Model;
using Strata.Storage.Collections;
using Strata.Storage.Index;

namespace Strata.Server.Commands.Shared;

/// <summary>A command that looks at each of very many keys, in steps; what it changes, it changes when it has looked at
/// all.</summary>
internal abstract class EachKeyPass : KeyPass
{
    // What it takes to hold a key and look it up, beside its name.
    private const int EffortOfKey = 2;

    private int _next = 1;

    private protected EachKeyPass(CommandContext context)
        : base(context)
    {
    }

    /// <summary>Goes on with a command whose arguments are all keys, or begins with it, if it has very many.</summary>
    /// <param name="context">The command.</param>
    /// <param name="create">Makes what it becomes.</param>
    /// <returns>False when it is to be executed in one go.</returns>
    public static bool Executes(CommandContext context, Func<CommandContext, EachKeyPass> create)
        => ExecutesOneByOne(context, create, static (context, create) => create(context));

    /// <summary>Looks at a key, which is held.</summary>
    /// <param name="context">The command.</param>
    /// <param name="key">The key.</param>
    /// <param name="effort">What is left of the step.</param>
    /// <returns>False when an error was answered.</returns>
    private protected abstract bool TryLookAt(CommandContext context, in Key key, ref int effort);

    /// <summary>Answers when all keys were looked at.</summary>
    private protected abstract void Answer(CommandContext context);

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context)
    {
        var effort = EffortOfStep(context);
        for (; _next < context.Count; _next++)
        {
            if (effort <= 0)
            {
                return false;
            }

            var key = context.KeyAt(_next);
            effort -= EffortOfKey + StepEffort.Of(key.Length);
            if (!TryHold(context, key))
            {
                return false;
            }

            if (!TryLookAt(context, key, ref effort))
            {
                return true;
            }
        }

        Answer(context);
        return true;
    }
}
