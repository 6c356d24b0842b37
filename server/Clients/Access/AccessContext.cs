namespace Strata.Server.Clients.Access;

/// <summary>Where a command stands that is refused.</summary>
internal enum AccessContext
{
    /// <summary>By itself.</summary>
    TopLevel,

    /// <summary>In a transaction.</summary>
    Transaction,

    /// <summary>In a script.</summary>
    Script,
}
