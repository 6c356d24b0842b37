namespace Strata.Bench.Keys;

/// <summary>
/// Popular keys, broken into by sequential scans. The scans walk through a range of their own, [keys, 2 × keys), each
/// going on where the last one ended, so that no scanned key comes again before all others of the range: a cache does
/// best to keep none of them. One scan is a twentieth of the key space.
/// </summary>
internal sealed class ScanMixedKeys : IKeySource
{
    private const int ScansPerRange = 20;

    private readonly IKeySource _popular;
    private readonly long _keys;
    private readonly long _scanLength;
    private readonly long _periodLength;
    private long _turn;
    private long _scanned;

    public ScanMixedKeys(IKeySource popular, long keys, double scanShare)
    {
        _popular = popular;
        _keys = keys;
        _scanLength = Math.Max(1, keys / ScansPerRange);
        _periodLength = (long)Math.Round(_scanLength / scanShare);
    }

    public bool TryNext(out long key)
    {
        var scans = _turn >= _periodLength - _scanLength;
        _turn = _turn + 1 >= _periodLength ? 0 : _turn + 1;
        if (!scans)
        {
            return _popular.TryNext(out key);
        }

        key = _keys + (_scanned++ % _keys);
        return true;
    }
}
