using System.Globalization;
using System.Text;
using Strata.Server.Rdb;
using Strata.Storage.Index;

namespace Strata.Server.Persistence;

/// <summary>Finds keys that are in an RDB file twice, without keeping their names: by their hashes, of eight bytes
/// each, and where two are alike by a second look at the file.</summary>
internal sealed unsafe class KeyTwins
{
    private readonly List<ulong> _hashes = [];

    /// <summary>Takes the key that was read, which has a value.</summary>
    public void Add(RdbFileReader reader) => _hashes.Add(HashOf(reader));

    /// <summary>Whether a second look is needed; once all keys were taken.</summary>
    public bool HasSuspects(out HashSet<ulong> suspects)
    {
        _hashes.Sort();
        suspects = [];
        for (var i = 1; i < _hashes.Count; i++)
        {
            if (_hashes[i] == _hashes[i - 1])
            {
                suspects.Add(_hashes[i]);
            }
        }

        return suspects.Count > 0;
    }

    /// <summary>Looks through the file a second time.</summary>
    /// <param name="reader">The file, from its beginning.</param>
    /// <param name="suspects">The hashes that there are twice.</param>
    /// <exception cref="RdbException">A key is there twice.</exception>
    public static void Look(RdbFileReader reader, HashSet<ulong> suspects)
    {
        var names = new HashSet<string>();
        RdbItem item;
        while ((item = reader.Next()) != RdbItem.End)
        {
            if (item == RdbItem.Key && suspects.Contains(HashOf(reader))
                && !names.Add(string.Create(
                    CultureInfo.InvariantCulture, $"{reader.Database} {Encoding.Latin1.GetString(reader.Key)}")))
            {
                throw new RdbException("a key is there twice", reader.Offset);
            }
        }
    }

    private static ulong HashOf(RdbFileReader reader)
    {
        var name = reader.Key;
        fixed (byte* bytes = name)
        {
            return KeyHash.Compute(bytes, name.Length, (byte)reader.Database);
        }
    }
}
