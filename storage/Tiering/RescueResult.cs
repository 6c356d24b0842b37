namespace Strata.Storage.Tiering;

/// <summary>What became of a page that is to leave memory.</summary>
internal enum RescueResult
{
    /// <summary>It holds something to be written.</summary>
    ToWrite,

    /// <summary>Nothing was left of it.</summary>
    Gone,

    /// <summary>Enough was done for one call; what is left of it waits.</summary>
    Later,
}
