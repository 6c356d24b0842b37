using System.Runtime.CompilerServices;

namespace Strata.Server.Diagnostics.Traffic.Curve;

/// <summary>What was counted of keys that were drawn in a part of an hour, or of a day.</summary>
internal sealed class KeySpan
{
    private readonly int _figures;
    private readonly ushort[] _counts;
    private readonly byte[] _shifts;
    private readonly uint[] _thresholds;
    private ReadTotals _totals;

    /// <summary>Nothing was counted yet.</summary>
    /// <param name="keys">How many keys there may be.</param>
    /// <param name="caches">How many caches are simulated.</param>
    public KeySpan(int keys, int caches)
    {
        _figures = KeyReads.FirstMisses + caches;
        _counts = new ushort[keys * _figures];
        _shifts = new byte[keys];
        _thresholds = new uint[caches];
        Begin(-1);
    }

    /// <summary>Which one it is since 1970.</summary>
    public long Number { get; private set; }

    /// <summary>Reads of all keys.</summary>
    public ref ReadTotals Totals => ref _totals;

    /// <summary>Memory, bytes, about.</summary>
    public static int BytesFor(int keys, int caches)
        => (keys * (((KeyReads.FirstMisses + caches) * sizeof(ushort)) + sizeof(byte)))
            + (caches * sizeof(uint)) + Unsafe.SizeOf<ReadTotals>();

    /// <summary>Forgets all for another one.</summary>
    public void Begin(long number)
    {
        Number = number;
        _totals = default;
        Array.Clear(_counts);
        Array.Clear(_shifts);
        Array.Fill(_thresholds, uint.MaxValue);
    }

    /// <summary>Keys count for a cache whose number is below: so they were drawn all the time.</summary>
    public uint ThresholdOf(int cache) => _thresholds[cache];

    /// <summary>For a cache only such keys count.</summary>
    public void Lower(int cache, uint threshold) => _thresholds[cache] = Math.Min(_thresholds[cache], threshold);

    /// <summary>Whether a key was read.</summary>
    public bool WasRead(int key) => _counts[key * _figures] > 0;

    /// <summary>What was counted of a key, as <see cref="KeyReads.FirstMisses"/> says.</summary>
    /// <param name="key">Which one.</param>
    /// <param name="unit">By what each is to be multiplied.</param>
    public ReadOnlySpan<ushort> CountsOf(int key, out double unit)
    {
        unit = 1L << _shifts[key];
        return _counts.AsSpan(key * _figures, _figures);
    }

    /// <summary>Counts a read of a key.</summary>
    /// <param name="key">Which one.</param>
    /// <param name="isMissed">Whether the server itself did not have it.</param>
    /// <param name="misses">A bit for each cache that did not.</param>
    /// <param name="coin">A number by chance: a key that is read very often is counted so.</param>
    public void Count(int key, bool isMissed, uint misses, uint coin)
    {
        var counts = _counts.AsSpan(key * _figures, _figures);
        ref var shift = ref _shifts[key];
        if (counts[0] == ushort.MaxValue)
        {
            shift++;
            foreach (ref var count in counts)
            {
                count /= 2;
            }
        }

        if ((coin & ((1U << shift) - 1)) != 0)
        {
            return;
        }

        counts[0]++;
        counts[1] += (ushort)(isMissed ? 1 : 0);
        for (var i = KeyReads.FirstMisses; misses != 0; i++, misses >>= 1)
        {
            counts[i] += (ushort)(misses & 1);
        }
    }

    /// <summary>Gives a key another number.</summary>
    public void Copy(int key, int to)
    {
        _counts.AsSpan(key * _figures, _figures).CopyTo(_counts.AsSpan(to * _figures, _figures));
        _shifts[to] = _shifts[key];
    }

    /// <summary>Forgets a key.</summary>
    public void Forget(int key)
    {
        _counts.AsSpan(key * _figures, _figures).Clear();
        _shifts[key] = 0;
    }
}
