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

    /// <summary>Something else has changed by which keys belong to databases.</summary>
    public void OnChanged() => Volatile.Write(ref _version, _version + 1);
}
