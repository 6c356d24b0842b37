using Strata.Storage.Index;

namespace Strata.Storage.Interests;

/// <summary>Under which keys interests stand: each under the key that it was entered for, by what the databases were
/// then. Where two databases are exchanged all go on with the keys of the same names in the other one, and none is
/// touched for it.</summary>
internal sealed class InterestPlaces
{
    // By the databases' numbers; null while each database is its own.
    private byte[]? _placeOf;
    private byte[]? _databaseAt;

    /// <summary>The key that an interest in a key stands under.</summary>
    public Key PlaceOf(in Key key) => _placeOf == null ? key : key.In(_placeOf[key.Database]);

    /// <summary>The key that those are interested in who stand under one.</summary>
    public Key KeyAt(in Key place) => _databaseAt == null ? place : place.In(_databaseAt[place.Database]);

    /// <summary>The keys of two databases take the place of each other.</summary>
    public void Exchange(byte first, byte second)
    {
        _placeOf ??= Identity();
        _databaseAt ??= Identity();
        (_placeOf[first], _placeOf[second]) = (_placeOf[second], _placeOf[first]);
        _databaseAt[_placeOf[first]] = first;
        _databaseAt[_placeOf[second]] = second;
    }

    private static byte[] Identity()
    {
        var numbers = new byte[Limits.MaxDatabases];
        for (var i = 0; i < numbers.Length; i++)
        {
            numbers[i] = (byte)i;
        }

        return numbers;
    }
}
