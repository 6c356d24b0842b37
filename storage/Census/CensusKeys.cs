using Strata.Storage.Index;

namespace Strata.Storage.Census;

/// <summary>A copy of the keys of a <see cref="CensusTable"/>.</summary>
public sealed class CensusKeys
{
    /// <summary>How often they are copied where keys come or go meanwhile.</summary>
    internal const int Attempts = 64;

    private CensusEntry[] _entries = [];
    private byte[] _names = [];

    /// <summary>How many there are.</summary>
    public int Count { get; private set; }

    /// <summary>What is known of a key.</summary>
    public ref readonly CensusEntry this[int index] => ref _entries[index];

    /// <summary>What is kept of a key's name.</summary>
    public ReadOnlyMemory<byte> NameOf(int index)
        => _names.AsMemory(
            index * CensusLimits.KeyBytes, Math.Min(_entries[index].KeyLength, CensusLimits.KeyBytes));

    /// <summary>Copies those whose number is below a threshold; while they are changed, anything.</summary>
    internal void Take(CensusEntry[] entries, byte[] names, int count, uint below)
    {
        if (_entries.Length < entries.Length)
        {
            _entries = new CensusEntry[entries.Length];
            _names = new byte[names.Length];
        }

        Count = 0;
        for (var i = 0; i < count; i++)
        {
            if (KeyHash.NumberOf(entries[i].Hash) < below)
            {
                _entries[Count] = entries[i];
                Buffer.BlockCopy(
                    names, i * CensusLimits.KeyBytes, _names, Count * CensusLimits.KeyBytes, CensusLimits.KeyBytes);
                Count++;
            }
        }
    }
}
