using System.Runtime.CompilerServices;

namespace Strata.Storage.Index;

/// <summary>
/// A 64-bit hash of key and database under secrets drawn at start (<see cref="HashSecrets"/>), so that a client cannot
/// choose colliding keys. 16 bytes a step, each mixed by a 64×64→128 bit multiplication (the construction of wyhash and
/// rapidhash, Wang Yi, 2019). Both factors are hidden by a secret each: a product with a factor that the client can
/// make zero would be zero whatever the other is. Top 8 bits choose the shard, the low 28 the bucket and the tag (<see
/// cref="HashIndex"/>). The database changes the others only, and by bits of its own: a key's hash in another database
/// follows from this one, and its shard is the same.
/// </summary>
public static unsafe class KeyHash
{
    private const ulong Prime = 0xD6E8FEB86659FD93UL;

    private static readonly ulong s_seed = HashSecrets.Draw();
    private static readonly ulong s_stepSecret = HashSecrets.Draw();
    private static readonly ulong s_endSecret = HashSecrets.Draw();
    private static readonly ulong[] s_secrets = [s_seed, s_stepSecret, s_endSecret];

    // The bits that choose the shard are the key's alone.
    private const int ShardBits = 8;

    // The bits that an index entry knows, by its bucket and tag.
    private const int NumberBits = IndexEntry.TagBits + IndexEntry.BucketBitsBelowTag;

    /// <summary>How many numbers keys are drawn by (<see cref="NumberOf"/>).</summary>
    public const uint Numbers = 1u << NumberBits;

    /// <summary>How many secrets there are.</summary>
    public const int SecretCount = 3;

    /// <summary>What all hashes are made with; clients must not learn it.</summary>
    internal static ReadOnlySpan<ulong> Secrets => s_secrets;

    /// <summary>A number below <see cref="Numbers"/> by which keys are drawn, all with the same chance: also the index
    /// tells it, without the key (<see cref="IndexEntry.BucketHash"/>).</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint NumberOf(ulong hash) => (uint)hash & (Numbers - 1);

    /// <summary>Hashes an element of a collection.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Compute(ReadOnlySpan<byte> element)
    {
        fixed (byte* bytes = element)
        {
            return Compute(bytes, element.Length, database: 0);
        }
    }

    /// <summary>Hashes <paramref name="length"/> bytes at <paramref name="key"/> for one database.</summary>
    public static ulong Compute(byte* key, int length, byte database)
    {
        var seed = s_seed;
        ulong a;
        ulong b;
        if (length <= 16)
        {
            if (length >= 8)
            {
                a = Read8(key);
                b = Read8(key + length - 8);
            }
            else if (length >= 4)
            {
                a = Read4(key);
                b = Read4(key + length - 4);
            }
            else if (length > 0)
            {
                a = ((ulong)key[0] << 16) | ((ulong)key[length >> 1] << 8) | key[length - 1];
                b = 0;
            }
            else
            {
                a = 0;
                b = 0;
            }
        }
        else
        {
            var p = key;
            var left = length;
            for (; left > 16; left -= 16, p += 16)
            {
                seed = Mix(Read8(p) ^ s_stepSecret, Read8(p + 8) ^ seed);
            }

            a = Read8(p + left - 16);
            b = Read8(p + left - 8);
        }

        return Mix(Prime ^ (ulong)length, Mix(a ^ s_endSecret, b ^ seed)) ^ BitsOf(database);
    }

    /// <summary>The hash of a key of the same name in another database.</summary>
    /// <param name="hash">The key's hash.</param>
    /// <param name="from">Its database.</param>
    /// <param name="to">The other one.</param>
    internal static ulong Move(ulong hash, byte from, byte to) => hash ^ BitsOf(from) ^ BitsOf(to);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong BitsOf(byte database) => (database * Prime) >> ShardBits;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Mix(ulong a, ulong b)
    {
        var high = Math.BigMul(a, b, out var low);
        return high ^ low;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Read8(byte* p) => Unsafe.ReadUnaligned<ulong>(p);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Read4(byte* p) => Unsafe.ReadUnaligned<uint>(p);
}
