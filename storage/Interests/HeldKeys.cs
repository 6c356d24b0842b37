using Strata.Storage.Index;
using Strata.Storage.Runtime;

namespace Strata.Storage.Interests;

/// <summary>Many keys of one shard that a command holds, known by their hashes: of a key whose hash is another's, too,
/// it is as if that were held. All are of the same database.</summary>
public sealed class HeldKeys : HeldKey
{
    // So many sets are made of the hashes that none which grows holds others up.
    private const int Parts = 64;

    /// <summary>Memory that a key takes, bytes, about.</summary>
    public const int BytesPerKey = 32;

    private readonly HashSet<ulong>?[] _parts = new HashSet<ulong>?[Parts];

    /// <summary>The first of the keys, which are not held yet.</summary>
    /// <inheritdoc cref="HeldKey(in Key, object, Worker, KeyHold)"/>
    public HeldKeys(in Key key, object holder, Worker owner, KeyHold hold)
        : base(key, holder, owner, hold)
    {
    }

    /// <summary>How many there are.</summary>
    public int Count { get; private set; }

    /// <inheritdoc/>
    public override int SizeBytes => base.SizeBytes + (Parts * sizeof(long));

    /// <summary>Holds another key, once the first one is held. The lease must be held.</summary>
    /// <returns>Whether it was not held by now.</returns>
    public bool Add(in Key key) => AddPlace(Interests!.PlaceOf(key));

    /// <summary>Whether a key that these stand under is one of them.</summary>
    internal bool Holds(in Key key) => _parts[PartOf(key)]?.Contains(key.Hash) == true;

    /// <inheritdoc/>
    private protected override void OnEntering() => AddPlace(Place);

    private bool AddPlace(in Key place)
    {
        var isNew = (_parts[PartOf(place)] ??= []).Add(place.Hash);
        Count += isNew ? 1 : 0;
        return isNew;
    }

    // The bits that choose the shard are the highest.
    private static int PartOf(in Key key) => (int)(key.Hash % Parts);
}
