namespace Strata.Server.Commands.Shared;

/// <summary>The smaller collection comes first, of two alike the one that was named first.</summary>
internal readonly struct PassSourceOrder : IComparer<PassSource>
{
    /// <inheritdoc/>
    public int Compare(PassSource x, PassSource y)
    {
        var order = x.Count.CompareTo(y.Count);
        return order != 0 ? order : x.Argument.CompareTo(y.Argument);
    }
}
