using Strata.Storage.Memory;

namespace Strata.Storage.Collections;

/// <summary>What all large forms do alike.</summary>
internal static unsafe class LargeForms
{
    /// <summary>Writes a whole collection as a packed value of <see cref="ILargeForm.PackedBytesOf"/> bytes.</summary>
    public static void Pack(this ILargeForm form, byte* root, Span<byte> packed)
    {
        var cursor = default(PackingCursor);
        form.PackSome(root, packed, ref cursor, int.MaxValue);
    }

    /// <summary>Makes a large collection of a packed value, however small.</summary>
    /// <exception cref="MemoryExhaustedException">The heap has no room; nothing is left behind.</exception>
    public static byte* Unpack(this ILargeForm form, SlabHeap heap, ReadOnlySpan<byte> packed)
    {
        var root = form.Create(heap, PackedForm.CountOf(packed));
        try
        {
            var cursor = default(PackingCursor);
            form.UnpackSome(heap, root, packed, ref cursor, int.MaxValue);
            return root;
        }
        catch (MemoryExhaustedException)
        {
            Free(form, heap, root);
            throw;
        }
    }

    /// <summary>Frees a whole collection.</summary>
    public static void Free(this ILargeForm form, SlabHeap heap, byte* root)
    {
        while (!form.FreeSome(heap, root, int.MaxValue))
        {
            // Each call frees some.
        }
    }
}
