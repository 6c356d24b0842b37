namespace Strata.Server.Clients.Costs;

/// <summary>By what the costs of clients are put together.</summary>
internal enum CostGrouping
{
    /// <summary>All of what follows.</summary>
    Owner,

    /// <summary>Name and library.</summary>
    Name,

    /// <summary>Where they come from.</summary>
    Address,

    /// <summary>Who they are to the server.</summary>
    User,
}
