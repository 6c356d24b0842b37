namespace Strata.Storage.Collections;

/// <summary>What a <see cref="TimeHeap{TItem}"/> must know of its items' blocks.</summary>
internal unsafe interface ITimedItem
{
    /// <summary>Milliseconds since 1970.</summary>
    static abstract long TimeOf(byte* block);

    /// <summary>Where the item stands in the heap, which it keeps for the heap.</summary>
    static abstract uint PositionOf(byte* block);

    /// <summary>Keeps where the item stands.</summary>
    static abstract void SetPosition(byte* block, uint position);
}
