namespace Strata.Server.Journal.Files;

/// <summary>What a file is opened for.</summary>
internal enum FileUse
{
    /// <summary>To be read.</summary>
    Read,

    /// <summary>To be read, written and cut as it is.</summary>
    Change,

    /// <summary>To be written anew: what it held is gone.</summary>
    Create,
}
