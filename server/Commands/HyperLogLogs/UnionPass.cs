using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Index;

namespace Strata.Server.Commands.HyperLogLogs;

/// <summary>The union of very many HyperLogLogs (PFCOUNT, PFMERGE).</summary>
/// <param name="context">The command.</param>
/// <param name="end">What becomes of it.</param>
internal sealed class UnionPass(CommandContext context, Action<CommandContext, UnionPass> end) : EachKeyPass(context)
{
    private readonly byte[] _ranks = new byte[HyperLogLogFormat.Registers];
    private bool _isAnyDense;

    /// <summary>The ranks, a byte each.</summary>
    public ReadOnlySpan<byte> Ranks => _ranks;

    /// <summary>Whether one of them is dense.</summary>
    public bool IsAnyDense => _isAnyDense;

    /// <inheritdoc/>
    private protected override bool TryLookAt(CommandContext context, in Key key, ref int effort)
    {
        var isRight = HyperLogLogAccess.TryRaise(context, key, _ranks, ref _isAnyDense, out var work);
        effort -= work;
        return isRight;
    }

    /// <inheritdoc/>
    private protected override void Answer(CommandContext context) => end(context, this);
}
