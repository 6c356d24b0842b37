using Strata.Server.Commands.Model;
using Strata.Storage.Index;

namespace Strata.Server.Commands.Shared;

/// <summary>A reply of many elements of a collection, which is made in steps, in a buffer of its own, and sent when it
/// is whole.</summary>
internal sealed class ReplyPass : KeyPass
{
    private readonly ElementReply _elements;

    private ReplyPass(CommandContext context, ElementReply elements)
        : base(context)
    {
        _elements = elements;
    }

    /// <summary>Begins to answer with elements of a key's collection.</summary>
    public static void Begin(CommandContext context, in Key key, ElementReply elements)
    {
        if (IsElsewhere(context))
        {
            return;
        }

        Begin(context, new ReplyPass(context, elements), key);
    }

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context)
        => TryAnswer(context, _elements, EffortOfStep(context));
}
