using System.Runtime.InteropServices;
using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Strings;

namespace Strata.Storage.Collections.Sets;

/// <summary>
/// A set that no key has yet, made in a shard's heap: for results, which may have to be complete before what they are
/// made of is overwritten. What is not put under a key is freed. Used under the shard's lease.
/// </summary>
public unsafe struct DetachedSet : IDisposable
{
    private readonly CollectionStore _store;
    private readonly ResultRoom? _room;
    private readonly long _clears;
    private LargeSet _set;

    /// <summary>Starts the result of a command, with no members: it asks for memory as it grows.</summary>
    /// <param name="store">The shard of the key it is for.</param>
    /// <exception cref="MemoryExhaustedException">Nothing is left behind.</exception>
    public DetachedSet(CollectionStore store)
        : this(store, expected: 0)
    {
        _room = store.Collections.Results;
        _room.Begin();
    }

    /// <summary>Starts another form of a key's set, with no members.</summary>
    /// <param name="store">The key's shard.</param>
    /// <param name="expected">Members that are about to be added.</param>
    /// <exception cref="MemoryExhaustedException">Nothing is left behind.</exception>
    internal DetachedSet(CollectionStore store, long expected)
    {
        _store = store;
        _clears = store.Collections.Clears;
        _set = LargeSet.Create(store.Collections.Heap, expected);
    }

    /// <summary>Members.</summary>
    public readonly long Count => _set.Count;

    /// <summary>Adds a member.</summary>
    /// <returns>Whether it was new.</returns>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public readonly bool Add(ReadOnlySpan<byte> member)
    {
        _room?.Ask(member.Length);
        return _set.Add(_store.Collections.Heap, member);
    }

    /// <summary>Takes a member out.</summary>
    /// <returns>Whether it was there.</returns>
    public readonly bool Remove(ReadOnlySpan<byte> member) => _set.Remove(_store.Collections.Heap, member);

    /// <summary>Whether a member is in the set.</summary>
    public readonly bool Contains(ReadOnlySpan<byte> member) => _set.Contains(member);

    /// <summary>Goes through all members once.</summary>
    public readonly SetEnumerator GetEnumerator() => new(_set);

    /// <summary>Goes through all members once, perhaps in steps: gives blocks for <see cref="MemberOf"/>.</summary>
    public readonly ElementWalk Walk() => _set.Walk();

    /// <summary>The member of a block.</summary>
    public static ReadOnlySpan<byte> MemberOf(byte* block) => SetMember.KeyOf(block);

    /// <summary>Makes the set, which has members, a key's value, in the form that Redis would give it.</summary>
    /// <param name="key">The key.</param>
    /// <param name="existing">Its record as just looked up, or a null one; of any type.</param>
    /// <param name="limits">What is packed.</param>
    /// <param name="change">What is told of it.</param>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public void Put(in Key key, in Record existing, in SetLimits limits, in Change change)
    {
        _store.Changes.Before(key, existing);
        _store.Changes.TellWhole(key, existing.IsNull, Write(key, existing, limits), change);
    }

    /// <summary>Makes the set, in the large form, what a key's set is from here on. The key keeps its time to live, and
    /// goes where there are no members.</summary>
    /// <param name="key">The key.</param>
    /// <param name="existing">Its set's record as just looked up, or a null one.</param>
    /// <param name="change">What is told of it.</param>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public void Exchange(in Key key, in Record existing, in Change change)
    {
        var record = default(Record);
        var wasMissing = existing.IsNull;
        _store.Changes.Before(key, existing);
        if (Count == 0)
        {
            _store.Drop(key, existing);
        }
        else
        {
            record = WriteLarge(key, existing, wasMissing ? -1 : existing.ExpiryMs);
        }

        _store.Changes.TellWhole(key, wasMissing, record, change);
    }

    /// <summary>Makes a set, however many members it has, a key's value in one of the packed forms. The set stays the
    /// caller's, and the change is the caller's to tell.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    internal static Record WritePacked(
        CollectionStore store, LargeSet set, in Key key, in Record existing, in RecordSpec spec, in SetLimits limits)
    {
        if (limits.AllowIntegers(set.Count) && AreIntegers(set, out var width))
        {
            return WriteIntegers(store, set, key, existing, spec, width);
        }

        var form = TypeInfo.Of(RecordType.Set).Large;
        var record = store.Write(key, existing, spec, (int)form.PackedBytesOf(set.Root));
        form.Pack(set.Root, record.MutableValue);
        return record;
    }

    /// <summary>Whether all members are integers, and how many bytes each of them needs.</summary>
    internal static bool AreIntegers(LargeSet set, out int width)
    {
        width = sizeof(short);
        for (var walk = set.Walk(); walk.TryNext(out var block);)
        {
            if (!CanonicalInteger.TryParse(SetMember.KeyOf(block), out var value))
            {
                return false;
            }

            width = Math.Max(width, PackedIntegers.WidthOf(value));
        }

        return true;
    }

    private Record Write(in Key key, in Record existing, in SetLimits limits)
    {
        if (Count > limits.MaxMembers && !limits.AllowIntegers(Count))
        {
            return WriteLarge(key, existing, expiryMs: -1); // Nothing is looked for among many members.
        }

        var longest = 0;
        foreach (var member in this)
        {
            longest = Math.Max(longest, member.Length);
        }

        return limits.AllowMembers(Count, longest, PackedSet.HeaderBytes + _set.EntryBytes)
            || (limits.AllowIntegers(Count) && AreIntegers(_set, out _))
            ? WritePacked(_store, _set, key, existing, new RecordSpec(key, RecordType.Set, expiryMs: -1), limits)
            : WriteLarge(key, existing, expiryMs: -1);
    }

    /// <summary>Makes the set a key's value, in the large form. The change is the caller's to tell.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    internal Record WriteLarge(in Key key, in Record existing, long expiryMs)
    {
        var record = _store.Collections.WriteLarge(key, existing, RecordType.Set, expiryMs, _set.Root);
        _set = default;
        return record;
    }

    /// <summary>Frees what no key has; much of it by and by.</summary>
    public void Dispose()
    {
        if (_set.Root == null || _clears != _store.Collections.Clears)
        {
            return; // Put under a key, or gone with all that the shard had.
        }

        if (Count > Limits.ElementsFreedPerCommand)
        {
            _ = _store.Collections.Doom(RecordType.Set, _set.Root);
        }
        else
        {
            _ = _set.FreeSome(_store.Collections.Heap, long.MaxValue);
        }

        _set = default;
    }

    private static Record WriteIntegers(
        CollectionStore store, LargeSet set, in Key key, in Record existing, in RecordSpec spec, int width)
    {
        var count = (int)set.Count;
        using var sorted = new NativeSpan(count * sizeof(long));
        var values = MemoryMarshal.Cast<byte, long>(sorted.Span);
        var next = 0;
        for (var walk = set.Walk(); walk.TryNext(out var block);)
        {
            _ = CanonicalInteger.TryParse(SetMember.KeyOf(block), out values[next++]);
        }

        values.Sort();
        var record = store.Write(key, existing, spec, PackedSet.HeaderBytes + (count * width));
        var packed = record.MutableValue;
        PackedSet.WriteHeader(packed, count, width);
        for (var i = 0; i < count; i++)
        {
            PackedIntegers.Set(packed, width, i, values[i]);
        }

        return record;
    }
}
