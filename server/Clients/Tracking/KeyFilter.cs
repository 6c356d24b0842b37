using System.Runtime.CompilerServices;

namespace Strata.Server.Clients.Tracking;

/// <summary>
/// Which keys a worker's clients may have kept, a bit for all hashes that are alike in their low bits: whoever changes
/// a key looks here whether the worker wants to know. Set and cleared by the worker alone, looked at by any thread.
/// </summary>
/// <remarks>A client that reads without a lease sets the bit before it takes the shard's version. Who changes the key
/// takes the lease, and looks at the bit afterwards. Both the setting and the taking are full fences: so either the
/// reader sees the lease taken or the change made, or the other sees the bit.</remarks>
internal sealed class KeyFilter
{
    private const int BitsPerWord = 32;

    private readonly uint[] _words;

    /// <summary>No keys.</summary>
    /// <param name="bits">A power of two.</param>
    public KeyFilter(int bits)
    {
        _words = new uint[bits / BitsPerWord];
        Mask = bits - 1;
    }

    /// <summary>The bits of a hash that count.</summary>
    public int Mask { get; }

    /// <summary>Memory that it takes, bytes.</summary>
    public long SizeBytes => (long)_words.Length * sizeof(uint);

    /// <summary>Whether a key of this hash may have been kept. Any thread.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool MayHave(ulong hash)
    {
        var bit = (int)hash & Mask;
        return (Volatile.Read(ref _words[bit / BitsPerWord]) & (1U << (bit % BitsPerWord))) != 0;
    }

    /// <summary>A key of this hash is about to be read. The bit mostly is set.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Set(ulong hash)
    {
        if (!MayHave(hash))
        {
            var bit = (int)hash & Mask;
            Interlocked.Or(ref _words[bit / BitsPerWord], 1U << (bit % BitsPerWord));
        }
    }

    /// <summary>No key of a hash that is like this one in its low bits is remembered any more.</summary>
    public void Clear(ulong hash)
    {
        var bit = (int)hash & Mask;
        _words[bit / BitsPerWord] &= ~(1U << (bit % BitsPerWord)); // By nobody else is it changed.
    }
}
