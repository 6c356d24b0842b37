namespace Strata.Storage.Collections.Lists;

/// <summary>What a large list's record points to.</summary>
internal unsafe struct ListRoot
{
    public ListBlock* First;
    public ListBlock* Last;

    /// <summary>Elements.</summary>
    public long Count;

    /// <summary>Bytes the elements take as entries of a packed list.</summary>
    public long EntryBytes;

    /// <summary>Bytes the elements would take in one of Redis's listpacks.</summary>
    public long ListpackBytes;

    /// <summary>Bytes of all blocks and the root.</summary>
    public long Weight;

    /// <summary>Whether Redis would hold the list in a quicklist: what OBJECT ENCODING answers.</summary>
    public bool IsQuicklist;
}
