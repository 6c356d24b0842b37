namespace Strata.Storage.Collections.Lists;

/// <summary>An entry of a large list, or the end of its block.</summary>
internal unsafe struct ListPosition
{
    public ListBlock* Block;
    public byte* Entry;
}
