using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Index;

namespace Strata.Server.Commands.Keys;

/// <summary>How many of very many keys there are (EXISTS, TOUCH).</summary>
/// <param name="context">The command.</param>
/// <param name="touches">Whether the keys are marked as used.</param>
internal sealed class CountPass(CommandContext context, bool touches) : EachKeyPass(context)
{
    private int _found;

    /// <inheritdoc/>
    private protected override bool TryLookAt(CommandContext context, in Key key, ref int effort)
    {
        if (context.TryInspect(key, out var record))
        {
            _found++;
            if (touches)
            {
                context.Touch(key, record);
            }
        }

        return true;
    }

    /// <inheritdoc/>
    private protected override void Answer(CommandContext context) => context.Reply.Integer(_found);
}
