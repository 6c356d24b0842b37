namespace Strata.Server.Clients;

/// <summary>What becomes of the libraries that there are when others are restored.</summary>
internal enum RestorePolicy
{
    /// <summary>They stay, and none may be among the others by its name.</summary>
    Append,

    /// <summary>They stay, but for those that are among the others by their names.</summary>
    Replace,

    /// <summary>They go.</summary>
    Flush,
}
