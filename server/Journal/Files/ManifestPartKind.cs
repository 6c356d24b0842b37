namespace Strata.Server.Journal.Files;

/// <summary>What a file of the journal is, as the manifest has it.</summary>
internal enum ManifestPartKind
{
    /// <summary>The whole data as it was when the journal was last rewritten.</summary>
    Base = 'b',

    /// <summary>Of a base before this one, not needed any more, to be deleted.</summary>
    History = 'h',

    /// <summary>What was changed since.</summary>
    Increment = 'i',
}
