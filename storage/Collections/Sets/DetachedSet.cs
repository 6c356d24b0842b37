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
public unsafe ref struct DetachedSet : IDisposable
{
    private readonly CollectionStore _store;
    private readonly ResultRoom? _room;
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

    /// <summary>Goes through all members once.</summary>
    public readonly SetEnumerator GetEnumerator() => new(_set);

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

    private Record Write(in Key key, in Record existing, in SetLimits limits)
    {
        var longest = 0;
        var areIntegers = true;
        var least = 0L;
        var greatest = 0L;
        foreach (var member in this)
        {
            longest = Math.Max(longest, member.Length);
            areIntegers &= CanonicalInteger.TryParse(member, out var value);
            least = Math.Min(least, value);
            greatest = Math.Max(greatest, value);
        }

        if (areIntegers && limits.AllowIntegers(Count))
        {
            var width = Math.Max(PackedIntegers.WidthOf(least), PackedIntegers.WidthOf(greatest));
            return WriteIntegers(key, existing, width);
        }

        if (limits.AllowMembers(Count, longest, PackedSet.HeaderBytes + _set.EntryBytes))
        {
            var form = TypeInfo.Of(RecordType.Set).Large;
            var spec = new RecordSpec(key, RecordType.Set, expiryMs: -1);
            var record = _store.Write(key, existing, spec, (int)form.PackedBytesOf(_set.Root));
            form.Pack(_set.Root, record.MutableValue);
            return record;
        }

        return WriteLarge(key, existing, expiryMs: -1);
    }

    /// <summary>Makes the set a key's value, in the large form. The change is the caller's to tell.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    internal Record WriteLarge(in Key key, in Record existing, long expiryMs)
    {
        var record = _store.Collections.WriteLarge(key, existing, RecordType.Set, expiryMs, _set.Root);
        _set = default;
        return record;
    }

    /// <summary>Frees what no key has.</summary>
    public void Dispose()
    {
        if (_set.Root != null)
        {
            _ = _set.FreeSome(_store.Collections.Heap, long.MaxValue);
            _set = default;
        }
    }

    private readonly Record WriteIntegers(in Key key, in Record existing, int width)
    {
        var count = (int)Count;
        using var sorted = new NativeSpan(count * sizeof(long));
        var values = MemoryMarshal.Cast<byte, long>(sorted.Span);
        var next = 0;
        foreach (var member in this)
        {
            _ = CanonicalInteger.TryParse(member, out values[next++]);
        }

        values.Sort();
        var spec = new RecordSpec(key, RecordType.Set, expiryMs: -1);
        var record = _store.Write(key, existing, spec, PackedSet.HeaderBytes + (count * width));
        var packed = record.MutableValue;
        PackedSet.WriteHeader(packed, count, width);
        for (var i = 0; i < count; i++)
        {
            PackedIntegers.Set(packed, width, i, values[i]);
        }

        return record;
    }
}
