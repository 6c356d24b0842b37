namespace Strata.Storage.Census;

/// <summary>How far somebody is who has a census look up all that it knows.</summary>
public struct CensusRefresh
{
    internal int Sampled;
    internal int Largest;
    internal bool HasBegun;
    internal bool Walks;
}
