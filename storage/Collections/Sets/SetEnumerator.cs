using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Strata.Storage.Strings;

namespace Strata.Storage.Collections.Sets;

/// <summary>Goes through a set's members: entries in the order they came, integers in ascending order, those of a large
/// set in none. The set must not change meanwhile.</summary>
public unsafe ref struct SetEnumerator
{
    private readonly ReadOnlySpan<byte> _packed;
    private readonly int _width;
    private readonly bool _isLarge;
    private ElementWalk _walk;
    private int _position;
    private ReadOnlySpan<byte> _entry;
    private Digits _digits;
    private int _digitCount;

    /// <summary>The members of a packed set.</summary>
    internal SetEnumerator(ReadOnlySpan<byte> packed)
    {
        _packed = packed;
        _width = packed.IsEmpty ? PackedSet.Entries : PackedSet.WidthOf(packed);
        _position = _width == PackedSet.Entries ? PackedSet.HeaderBytes : 0;
    }

    /// <summary>The members of a large set.</summary>
    internal SetEnumerator(LargeSet set)
    {
        _walk = set.Walk();
        _isLarge = true;
    }

    /// <summary>The member; valid until the next is asked for.</summary>
    [UnscopedRef]
    public readonly ReadOnlySpan<byte> Current
        => _digitCount == 0 ? _entry : ((ReadOnlySpan<byte>)_digits)[.._digitCount];

    /// <summary>Goes on to the next member, at first to the first one.</summary>
    public bool MoveNext()
    {
        if (_isLarge)
        {
            var found = _walk.TryNext(out var block);
            _entry = found ? SetMember.KeyOf(block) : default;
            return found;
        }

        if (_width != PackedSet.Entries)
        {
            return MoveNextInteger();
        }

        if (_position >= _packed.Length)
        {
            return false;
        }

        _entry = PackedForm.Read(_packed, ref _position);
        return true;
    }

    private bool MoveNextInteger()
    {
        if (_position >= PackedForm.CountOf(_packed))
        {
            return false;
        }

        _digitCount = CanonicalInteger.Format(PackedIntegers.At(_packed, _width, _position), _digits);
        _position++;
        return true;
    }

    [InlineArray(CanonicalInteger.MaxBytes)]
    private struct Digits
    {
        private byte _first;
    }
}
