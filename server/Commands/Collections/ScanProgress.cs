using Strata.Server.Commands.Keys;
using Strata.Storage.Collections;

namespace Strata.Server.Commands.Collections;

/// <summary>How far a call of HSCAN, SSCAN or ZSCAN has come.</summary>
/// <param name="Cursor">Where it goes on.</param>
/// <param name="Buckets">How many more buckets are looked at, at most.</param>
/// <param name="Elements">How many more elements are.</param>
/// <param name="Found">How many of those that were are answered.</param>
internal record struct ScanProgress(ulong Cursor, long Buckets, long Elements, long Found)
{
    /// <summary>The match of the next element's name.</summary>
    public NameMatch Match;

    /// <summary>The elements of the bucket at hand that were not looked at; it is left when there is none.</summary>
    public ElementChain Chain { get; set; }

    /// <summary>Of a packed collection, where the next element is.</summary>
    public int Position { get; set; }

    /// <summary>Whether a bucket is at hand.</summary>
    public bool IsWithinBucket { get; set; }
}
