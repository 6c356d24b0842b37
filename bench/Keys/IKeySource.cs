namespace Strata.Bench.Keys;

/// <summary>Says which key the next request asks for. One thread owns a source.</summary>
internal interface IKeySource
{
    /// <summary>The number of the next key, from 0; false when there are no more (loading in order).</summary>
    bool TryNext(out long key);
}
