using System.Runtime.CompilerServices;

namespace Strata.Storage.Collections.Sets;

/// <summary>A member of a large set: a block that holds one packed entry.</summary>
internal readonly unsafe struct SetMember : IElementKey
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ReadOnlySpan<byte> KeyOf(byte* block)
    {
        var length = PackedForm.LengthAt(block, out var prefix);
        return new ReadOnlySpan<byte>(block + prefix, length);
    }
}
