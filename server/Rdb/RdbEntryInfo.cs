namespace Strata.Server.Rdb;

/// <summary>What a file says of a key beside its value and its time to live.</summary>
/// <param name="IdleSeconds">For how long it was not used; -1 where that is not told.</param>
/// <param name="Frequency">How often it was used lately, 0 to 255; -1 where that is not told.</param>
internal readonly record struct RdbEntryInfo(long IdleSeconds = -1, int Frequency = -1)
{
    /// <summary>Nothing is told.</summary>
    public static RdbEntryInfo None => new(-1, -1);
}
