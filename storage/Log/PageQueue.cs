namespace Strata.Storage.Log;

/// <summary>The pages of one kind in the order they were opened, linked through <see cref="PageInfo"/>.</summary>
internal sealed class PageQueue
{
    /// <summary>The oldest page, or -1.</summary>
    public int Oldest { get; private set; } = -1;

    /// <summary>The newest page, or -1.</summary>
    public int Newest { get; private set; } = -1;

    /// <summary>Memory of all pages in the queue.</summary>
    public long FrameBytes { get; private set; }

    /// <summary>Pages in the queue.</summary>
    public int Count { get; private set; }

    /// <summary>Puts a page at the young end.</summary>
    public void Append(PageInfo[] pages, int page)
    {
        pages[page].Previous = Newest;
        pages[page].Next = -1;
        if (Newest >= 0)
        {
            pages[Newest].Next = page;
        }
        else
        {
            Oldest = page;
        }

        Newest = page;
        FrameBytes += pages[page].FrameBytes;
        Count++;
    }

    /// <summary>Takes a page out.</summary>
    public void Remove(PageInfo[] pages, int page)
    {
        ref var info = ref pages[page];
        if (info.Previous >= 0)
        {
            pages[info.Previous].Next = info.Next;
        }
        else
        {
            Oldest = info.Next;
        }

        if (info.Next >= 0)
        {
            pages[info.Next].Previous = info.Previous;
        }
        else
        {
            Newest = info.Previous;
        }

        FrameBytes -= info.FrameBytes;
        Count--;
    }
}
