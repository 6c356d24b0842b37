using Strata.Storage.Records;

namespace Strata.Server.Diagnostics.Traffic.Curve;

/// <summary>Keys that a small cache has given up: as GhostQueue remembers them, 8 for 5 that are held. One thread.
/// </summary>
internal sealed class MiniGhosts
{
    private const int Slots = 8;
    private const int KeysPerBucket = 5;

    private readonly ushort[] _fingerprints;
    private int _buckets = 1;

    /// <summary>None yet.</summary>
    /// <param name="keys">How many keys the cache can hold.</param>
    public MiniGhosts(int keys)
    {
        _fingerprints = new ushort[Slots * (keys / KeysPerBucket)];
    }

    /// <summary>Memory where so many keys are held, bytes.</summary>
    public static int BytesFor(int keys) => Slots * (keys / KeysPerBucket) * sizeof(ushort);

    /// <summary>Remembers a key.</summary>
    /// <param name="hash">Its hash.</param>
    /// <param name="isProven">Whether it was of the main queue.</param>
    /// <param name="held">How many keys are held.</param>
    public void Add(ulong hash, bool isProven, int held)
    {
        var wanted = Math.Clamp(held / KeysPerBucket, 1, _fingerprints.Length / Slots);
        if (_buckets < wanted / 2 || _buckets > wanted)
        {
            _buckets = Math.Max(1, wanted * 3 / 4);
            Array.Clear(_fingerprints);
        }

        var bucket = BucketOf(hash);
        bucket[..^1].CopyTo(bucket[1..]);
        bucket[0] = Fingerprint(hash, isProven);
    }

    /// <summary>What is remembered of a key; from then on nothing is.</summary>
    public Ghost Take(ulong hash)
    {
        var bucket = BucketOf(hash);
        var slot = bucket.IndexOfAny(Fingerprint(hash, isProven: false), Fingerprint(hash, isProven: true));
        if (slot < 0)
        {
            return default;
        }

        var isProven = (bucket[slot] & 1) != 0;
        bucket[slot] = 0;
        return new Ghost(IsKnown: true, isProven, IsYoung: slot == 0);
    }

    private static ushort Fingerprint(ulong hash, bool isProven)
        => (ushort)(Math.Max(2, (hash >> 40) & ushort.MaxValue & ~1UL) | (isProven ? 1UL : 0));

    private Span<ushort> BucketOf(ulong hash)
    {
        var bucket = (int)((ulong)(uint)(hash * 0xD6E8FEB86659FD93UL >> 32) * (uint)_buckets >> 32);
        return _fingerprints.AsSpan(bucket * Slots, Slots);
    }
}
