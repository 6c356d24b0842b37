using Strata.Storage.Collections.Sets;

namespace Strata.Server.Commands.Sets;

/// <summary>Members become those of a set.</summary>
internal readonly ref struct ResultSink : ISetSink
{
    private readonly DetachedSet _set;

    public ResultSink(DetachedSet set)
    {
        _set = set;
    }

    /// <inheritdoc/>
    public bool Take(ReadOnlySpan<byte> member)
    {
        _ = _set.Add(member);
        return true;
    }
}
