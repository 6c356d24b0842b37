using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Streams;

/// <summary>The branches of an <see cref="IdTree"/>: nodes whose entries lead to other nodes.</summary>
internal static unsafe class IdBranches
{
    /// <summary>A branch without entries.</summary>
    /// <exception cref="MemoryExhaustedException">There is no memory for one.</exception>
    public static IdNode* Allocate(in StreamMemory memory)
    {
        var node = (IdNode*)memory.Allocate(IdNode.FullBytes);
        *node = new IdNode { Capacity = IdNode.CapacityOf(IdNode.BranchStride) };
        return node;
    }

    /// <summary>Frees a branch.</summary>
    public static void Free(in StreamMemory memory, IdNode* branch) => memory.Free((byte*)branch, IdNode.FullBytes);

    /// <summary>Nodes of a tree.</summary>
    /// <param name="top">Its top, a branch.</param>
    /// <param name="depth">How many branches are on the way to a leaf.</param>
    public static long CountNodes(IdNode* top, int depth)
    {
        var nodes = 1L;
        for (var i = 0; depth > 1 && i < top->Count; i++)
        {
            nodes += CountNodes(IdNode.ChildAt(top, i), depth - 1);
        }

        return depth > 1 ? nodes : nodes + top->Count;
    }

    /// <summary>Makes branches of what lies before a way through a tree.</summary>
    /// <param name="memory">Where they lie.</param>
    /// <param name="path">The way, before which there are leaves.</param>
    /// <param name="depth">How many branches are on it.</param>
    /// <param name="topLevel">The level of the topmost that was made.</param>
    /// <returns>That one.</returns>
    /// <exception cref="MemoryExhaustedException">Nothing is left behind.</exception>
    public static IdNode* CopyBefore(in StreamMemory memory, in IdPath path, int depth, out int topLevel)
    {
        topLevel = 0;
        while (path.IndexAt(topLevel) == 0)
        {
            topLevel++;
        }

        IdNode* lower = null;
        try
        {
            for (var level = depth - 1; level >= topLevel; level--)
            {
                if (path.IndexAt(level) > 0 || lower != null)
                {
                    lower = CopyBefore(Allocate(memory), path.BranchAt(level), path.IndexAt(level), lower);
                }
            }
        }
        catch (MemoryExhaustedException)
        {
            while (lower != null)
            {
                var branch = lower;
                lower = branch->Next;
                Free(memory, branch);
            }

            throw;
        }

        return lower;
    }

    /// <summary>Makes a branch of what lies before a child of another one.</summary>
    /// <param name="branch">The branch.</param>
    /// <param name="source">The other one.</param>
    /// <param name="index">The child's index.</param>
    /// <param name="last">What stands in the child's place; null for nothing.</param>
    private static IdNode* CopyBefore(IdNode* branch, IdNode* source, int index, IdNode* last)
    {
        branch->Count = index + (last == null ? 0 : 1);
        branch->Next = last; // By which it is found where there is no memory for all.
        var bytes = branch->Count * IdNode.BranchStride;
        Buffer.MemoryCopy(
            IdNode.At(source, 0, IdNode.BranchStride), IdNode.At(branch, 0, IdNode.BranchStride), bytes, bytes);
        if (last != null)
        {
            *IdNode.WordsAt(branch, index, IdNode.BranchStride) = (ulong)last;
        }

        return branch;
    }
}
