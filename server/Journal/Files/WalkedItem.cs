namespace Strata.Server.Journal.Files;

/// <summary>What stands at a place of a file without checksums.</summary>
internal enum WalkedItem
{
    /// <summary>Nothing: the file ends here.</summary>
    End,

    /// <summary>A command.</summary>
    Command,

    /// <summary>MULTI.</summary>
    Multi,

    /// <summary>EXEC.</summary>
    Exec,

    /// <summary>A line that says nothing to the data.</summary>
    Annotation,

    /// <summary>The beginning of something of these: the file ends in it.</summary>
    Torn,

    /// <summary>None of these.</summary>
    Broken,
}
