namespace Strata.Server.Diagnostics.Traffic;

/// <summary>The keys that a worker watches, as they were at one moment.</summary>
internal sealed class FrequentKeysCopy
{
    /// <summary>How often they are copied where the worker changes them meanwhile: it does so for a small part of its
    /// time.</summary>
    public const int Attempts = 64;

    private WatchedKey[] _keys = [];
    private byte[] _bytes = [];
    private int _count;

    /// <summary>The keys.</summary>
    public ReadOnlySpan<WatchedKey> Keys => _keys.AsSpan(0, _count);

    /// <summary>What a weight is to be multiplied by to be a rate.</summary>
    public double PerSecond { get; set; }

    /// <summary>Of the weight that a steady rate has after a long time, the part that is missing yet.</summary>
    public double Unseen { get; set; }

    /// <summary>The weight that a key which is not watched may have had.</summary>
    public double LeastWeight { get; private set; }

    /// <summary>The bytes of a key, as far as they are kept.</summary>
    public ReadOnlySpan<byte> BytesOf(int index)
        => _bytes.AsSpan(index * TrafficLimits.HotKeyBytes, Math.Min(_keys[index].Length, TrafficLimits.HotKeyBytes));

    /// <summary>Copies them; while they are changed, anything.</summary>
    public void Take(FrequentKeys frequent)
    {
        if (_keys.Length < frequent.Capacity)
        {
            _keys = new WatchedKey[frequent.Capacity];
            _bytes = new byte[frequent.Capacity * TrafficLimits.HotKeyBytes];
        }

        var keys = frequent.Keys;
        _count = keys.Length;
        keys.CopyTo(_keys);
        frequent.Bytes[..Math.Min(frequent.Bytes.Length, _bytes.Length)].CopyTo(_bytes);
        LeastWeight = 0;
        if (_count == frequent.Capacity)
        {
            LeastWeight = double.MaxValue;
            foreach (ref readonly var key in Keys)
            {
                LeastWeight = Math.Min(LeastWeight, key.Weight);
            }
        }
    }
}
