namespace Strata.Storage.Memory;

/// <summary>What becomes of who asks for memory that there is not, on a thread: of data that was there before, and is
/// loaded again, nothing is refused for good, whatever the limit is by now.</summary>
public enum Lenience
{
    /// <summary>It is refused.</summary>
    None,

    /// <summary>It waits, however much it asks for.</summary>
    Waits,

    /// <summary>It gets what it asks for.</summary>
    Takes,
}
