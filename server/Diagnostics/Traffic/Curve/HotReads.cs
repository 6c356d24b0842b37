namespace Strata.Server.Diagnostics.Traffic.Curve;

/// <summary>How much the keys were read, of the last hour and the last day, that are so hot that chance does not decide
/// whether they count. One thread writes, any may read.</summary>
internal sealed class HotReads
{
    private readonly HotKeyReads?[] _keys;
    private readonly Dictionary<ulong, int> _numbers = [];
    private IReadOnlySet<ulong> _current = new HashSet<ulong>();

    /// <summary>None yet.</summary>
    /// <param name="capacity">How many keys are known at most: of more, those are forgotten that were read least.
    /// </param>
    public HotReads(int capacity)
    {
        _keys = new HotKeyReads?[capacity];
    }

    /// <summary>Those that are hot now. Any thread.</summary>
    public IReadOnlySet<ulong> Current => Volatile.Read(ref _current);

    /// <summary>The part of all reads that they have now.</summary>
    public double Share { get; private set; }

    /// <summary>The part of all reads that those have now which are not there.</summary>
    public double MissedShare { get; private set; }

    /// <summary>Those that were hot, too; empty places are null. Any thread.</summary>
    public ReadOnlySpan<HotKeyReads?> All => _keys;

    /// <summary>Memory for so many, bytes, about.</summary>
    public static int BytesFor(int capacity) => capacity * HotKeyReads.Bytes;

    /// <summary>Takes over which are hot.</summary>
    /// <param name="list">All that are watched.</param>
    /// <param name="isThere">Whether the server has a key now.</param>
    public void Follow(HotKeyList list, Func<HotKey, bool> isThere)
    {
        (Share, MissedShare) = (0, 0);
        var current = new HashSet<ulong>();
        foreach (var key in _keys)
        {
            if (key != null)
            {
                key.Share = 0;
            }
        }

        foreach (var key in list.Keys)
        {
            var share = key.PerSecond / list.TotalPerSecond;
            if (share < TrafficLimits.CurveHotShare || current.Count == _keys.Length)
            {
                break;
            }

            if (key.AtLeast < TrafficLimits.CurveHotShare * list.TotalPerSecond)
            {
                continue; // That may be chance, as long as little was noted.
            }

            var reads = Of(key);
            _ = current.Add(key.Hash);
            (reads.Share, reads.IsMissed) = (share, !isThere(key));
            Share += share;
            MissedShare += reads.IsMissed ? share : 0;
        }

        Volatile.Write(ref _current, current);
    }

    /// <summary>Counts reads, of all keys: they have their part.</summary>
    /// <param name="reads">How many.</param>
    /// <param name="spans">When.</param>
    public void Count(double reads, KeyReads spans)
    {
        foreach (var key in _keys)
        {
            if (key is { Share: > 0 })
            {
                key.Count(reads * key.Share, spans);
            }
        }
    }

    private HotKeyReads Of(HotKey key)
    {
        if (_numbers.TryGetValue(key.Hash, out var number))
        {
            return _keys[number]!;
        }

        number = Array.IndexOf(_keys, null);
        if (number < 0)
        {
            number = LeastRead();
            _ = _numbers.Remove(_keys[number]!.Hash);
        }

        var reads = new HotKeyReads(key);
        _numbers.Add(key.Hash, number);
        Volatile.Write(ref _keys[number], reads);
        return reads;
    }

    private int LeastRead()
    {
        var least = -1;
        for (var i = 0; i < _keys.Length; i++)
        {
            if (_keys[i]!.Share == 0 && (least < 0 || _keys[i]!.Total < _keys[least]!.Total))
            {
                least = i;
            }
        }

        return least;
    }
}
