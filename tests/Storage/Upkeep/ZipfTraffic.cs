namespace Strata.Tests.Storage.Upkeep;

/// <summary>Key numbers of read-through traffic: Zipf-distributed (J. Gray et al., "Quickly generating billion-record
/// synthetic databases", SIGMOD '94), scattered over the key space, and optionally mixed with a scan of other keys.
/// </summary>
internal sealed class ZipfTraffic
{
    private const double Theta = 0.99;

    private readonly Random _random;
    private readonly int _keys;
    private readonly double _scanShare;
    private readonly double _zeta;
    private readonly double _eta;
    private int _scanned;

    public ZipfTraffic(int seed, int keys, double scanShare)
    {
        _random = new Random(seed);
        _keys = keys;
        _scanShare = scanShare;
        for (var i = 1; i <= keys; i++)
        {
            _zeta += Math.Pow(1.0 / i, Theta);
        }

        _eta = (1 - Math.Pow(2.0 / keys, 1 - Theta)) / (1 - ((1 + Math.Pow(0.5, Theta)) / _zeta));
    }

    /// <summary>Bytes of a key's value: 100 to 400.</summary>
    public static int ValueLength(int key) => 100 + (int)(Scatter(key) % 301);

    public int Next()
    {
        if (_random.NextDouble() < _scanShare)
        {
            _scanned = (_scanned + 1) % _keys;
            return _keys + _scanned;
        }

        var u = _random.NextDouble();
        var rank = u * _zeta < 1 ? 0
            : u * _zeta < 1 + Math.Pow(0.5, Theta) ? 1
            : (int)(_keys * Math.Pow((_eta * u) - _eta + 1, 1 / (1 - Theta)));
        return (int)(Scatter(rank) % (ulong)_keys);
    }

    private static ulong Scatter(int number)
    {
        var x = ((ulong)number + 1) * 0x9E3779B97F4A7C15UL;
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9UL;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBUL;
        return x ^ (x >> 31);
    }
}
