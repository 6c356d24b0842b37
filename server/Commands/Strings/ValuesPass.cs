using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Collections;
using Strata.Storage.Index;

namespace Strata.Server.Commands.Strings;

/// <summary>The values of very many strings (MGET).</summary>
internal sealed class ValuesPass : EachKeyPass
{
    /// <summary>Begins with the reply.</summary>
    public ValuesPass(CommandContext context)
        : base(context)
    {
        Reply.Array(context.Count - 1);
    }

    /// <inheritdoc/>
    private protected override bool TryLookAt(CommandContext context, in Key key, ref int effort)
    {
        var before = Reply.Length;
        MGet.WriteValue(context, Reply, key);
        effort -= StepEffort.Of(Reply.Length - before);
        return true;
    }

    /// <inheritdoc/>
    private protected override void Answer(CommandContext context) => context.Reply.TakeFrom(Reply);
}
