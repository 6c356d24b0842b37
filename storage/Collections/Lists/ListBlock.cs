namespace Strata.Storage.Collections.Lists;

/// <summary>
/// The head of a block of a large list, in front of its <see cref="Capacity"/> bytes of entries. Those in use may have
/// room on both sides: pushes at the head of a list fill blocks from behind. A block in a list is never empty.
/// </summary>
internal unsafe struct ListBlock
{
    public ListBlock* Previous;
    public ListBlock* Next;

    /// <summary>Bytes there are for entries.</summary>
    public int Capacity;

    /// <summary>Where the first entry begins.</summary>
    public int Start;

    /// <summary>Where the last entry ends.</summary>
    public int End;

    /// <summary>Entries.</summary>
    public int Count;

    /// <summary>Bytes the entries would take in one of Redis's listpacks.</summary>
    public long ListpackBytes;

    /// <summary>Bytes of the entries.</summary>
    public readonly int Used => End - Start;

    /// <summary>Where a block's first entry begins.</summary>
    public static byte* FirstOf(ListBlock* block) => (byte*)(block + 1) + block->Start;

    /// <summary>Where a block's last entry ends.</summary>
    public static byte* EndOf(ListBlock* block) => (byte*)(block + 1) + block->End;
}
