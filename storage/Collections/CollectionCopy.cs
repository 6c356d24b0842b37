using Strata.Storage.Changes;
using Strata.Storage.Collections.Hashes;
using Strata.Storage.Collections.Lists;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Collections.Streams;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections;

/// <summary>
/// A copy of a large collection for a key of whatever shard, which is made in steps: the source must not change
/// meanwhile. All members but <see cref="Free"/> are called under the leases of both shards.
/// </summary>
public sealed class CollectionCopy
{
    private readonly CollectionWalk _walk = new();
    private readonly CollectionLoader _loader;
    private StreamWalk _parts;

    /// <summary>Begins a copy.</summary>
    /// <param name="source">The collection.</param>
    /// <param name="store">The shard that the copy is for.</param>
    /// <param name="limits">Up to where collections are packed.</param>
    public CollectionCopy(in Record source, CollectionStore store, in CollectionLimits limits)
    {
        switch (source.Type)
        {
            case RecordType.Hash:
                var hash = new HashLoader(store.Budget);
                hash.Begin(store, limits.Hashes);
                _loader = hash;
                break;
            case RecordType.List:
                var list = new ListLoader(store.Budget);
                list.Begin(store, limits.Lists);
                _loader = list;
                break;
            case RecordType.Set:
                var set = new SetLoader(store.Budget);
                set.Begin(store, limits.Sets);
                _loader = set;
                break;
            case RecordType.Stream:
                var stream = new StreamLoader(store.Budget);
                stream.Begin(store, new StreamView(source).Meta);
                _loader = stream;
                _parts = new StreamWalk(source);
                return;
            default:
                var sorted = new SortedSetLoader(store.Budget);
                sorted.Begin(store, limits.SortedSets);
                _loader = sorted;
                break;
        }

        _loader.StaysLarge = true;
        _walk.Begin(source);
    }

    /// <summary>Elements that were left out.</summary>
    public long LeftOut { get; private set; }

    /// <summary>Whether the copy's shard was emptied meanwhile: it is to be abandoned.</summary>
    public bool IsLost => _loader.IsLost;

    /// <summary>Goes on.</summary>
    /// <param name="effort">How much is done: elements, of which each 128 bytes count for another.</param>
    /// <returns>Whether the copy is whole.</returns>
    /// <exception cref="MemoryExhaustedException">The copy is to be abandoned.</exception>
    public bool Step(int effort)
    {
        if (_loader is StreamLoader stream)
        {
            return Step(stream, effort);
        }

        while (effort > 0)
        {
            if (!_walk.TryNextLarge(out var element))
            {
                return true;
            }

            Add(element);
            effort -= StepEffort.Of(element.Name.Length + element.Value.Length);
        }

        return false;
    }

    /// <summary>Goes on, and leaves out what is named.</summary>
    /// <param name="effort">How much is done: elements, of which each 128 bytes count for another.</param>
    /// <param name="names">The elements to leave out.</param>
    /// <param name="nowMs">Milliseconds since 1970: what has expired is left as it is.</param>
    /// <returns>Whether the copy is whole.</returns>
    /// <exception cref="MemoryExhaustedException">The copy is to be abandoned.</exception>
    public bool StepWithout(int effort, in DetachedSet names, long nowMs)
    {
        while (effort > 0)
        {
            if (!_walk.TryNextLarge(out var element))
            {
                return true;
            }

            if (names.Contains(element.Name) && (element.ExpiryMs <= 0 || element.ExpiryMs >= nowMs))
            {
                LeftOut++;
            }
            else
            {
                Add(element);
            }

            effort -= StepEffort.Of(element.Name.Length + element.Value.Length);
        }

        return false;
    }

    /// <inheritdoc cref="CollectionLoader.Exchange"/>
    public void Exchange(in Key key, in Record existing, in Change change) => _loader.Exchange(key, existing, change);

    /// <summary>Makes the copy, which is whole, a key's value.</summary>
    /// <inheritdoc cref="CollectionLoader.Put"/>
    public void Put(in Key key, in Record existing, long expiryMs, in Change change)
        => _ = _loader.Put(key, existing, expiryMs, change);

    /// <inheritdoc cref="CollectionLoader.Write"/>
    internal Record Write(in Key key, in Record existing, long expiryMs) => _loader.Write(key, existing, expiryMs);

    /// <summary>Gives up what no key has.</summary>
    public void Abandon() => _loader.Abandon();

    /// <summary>Gives back what lies in no shard. Without leases.</summary>
    public void Free() => _loader.Free();

    private bool Step(StreamLoader stream, int effort)
    {
        while (effort > 0)
        {
            if (!_parts.TryNextLarge(out var part))
            {
                return true;
            }

            stream.Add(part);
            effort -= part.Effort;
        }

        return false;
    }

    private void Add(in WalkedElement element)
    {
        switch (_loader)
        {
            case HashLoader hash:
                _ = hash.Add(element.Name, element.Value, element.ExpiryMs);
                break;
            case ListLoader list:
                list.Push(element.Name);
                break;
            case SetLoader set:
                _ = set.Add(element.Name);
                break;
            case SortedSetLoader sorted:
                _ = sorted.Add(element.Name, element.Score);
                break;
        }
    }
}
