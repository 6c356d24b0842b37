namespace Strata.Bench.Top;

/// <summary>What clients are put together by.</summary>
public enum ClientOrder
{
    /// <summary>Name, library, address and user.</summary>
    Owner,

    /// <summary>The name they have given themselves.</summary>
    Name,

    /// <summary>Where they come from.</summary>
    Address,

    /// <summary>Their user.</summary>
    User,
}
