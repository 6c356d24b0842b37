using Strata.Storage;

namespace Strata.Server.Runtime;

/// <summary>Which physical database a client's database number means. SWAPDB exchanges two of them while it holds every
/// lease.</summary>
public sealed class DatabaseMap
{
    private readonly byte[] _physical = new byte[Limits.MaxDatabases];
    private readonly byte[] _logical = new byte[Limits.MaxDatabases];
    private long _version;

    public DatabaseMap(int count)
    {
        Count = count;
        for (var i = 0; i < _physical.Length; i++)
        {
            _physical[i] = (byte)i;
            _logical[i] = (byte)i;
        }
    }

    /// <summary>Number of databases (the conf's <c>databases</c>).</summary>
    public int Count { get; }

    /// <summary>Whether there is a database of this number.</summary>
    public bool Has(int database) => database >= 0 && database < Count;

    /// <summary>Changes with every exchange.</summary>
    public long Version => Volatile.Read(ref _version);

    /// <summary>The physical number of a database.</summary>
    public byte PhysicalOf(int database) => _physical[database];

    /// <summary>The number by which clients know a physical database.</summary>
    public int LogicalOf(byte database) => _logical[database];

    /// <summary>Exchanges two databases.</summary>
    public void Swap(int first, int second)
    {
        (_physical[first], _physical[second]) = (_physical[second], _physical[first]);
        _logical[_physical[first]] = (byte)first;
        _logical[_physical[second]] = (byte)second;
        OnChanged();
    }

    /// <summary>Takes over which database was which when data was kept.</summary>
    /// <param name="numbers">The clients' numbers by the physical ones, each once.</param>
    /// <returns>False where that has exchanged databases that there are not.</returns>
    public bool TryRestore(ReadOnlySpan<byte> numbers)
    {
        for (var physical = 0; physical < numbers.Length; physical++)
        {
            if (numbers[physical] != physical && (physical >= Count || numbers[physical] >= Count))
            {
                return false;
            }
        }

        for (var physical = 0; physical < numbers.Length; physical++)
        {
            _logical[physical] = numbers[physical];
            _physical[numbers[physical]] = (byte)physical;
        }

        OnChanged();
        return true;
    }

    /// <summary>Something else has changed by which keys belong to databases.</summary>
    public void OnChanged() => Volatile.Write(ref _version, _version + 1);
}
