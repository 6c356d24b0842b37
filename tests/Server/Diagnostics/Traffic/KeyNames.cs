using System.Runtime.InteropServices;
using System.Text;
using Strata.Storage.Index;

namespace Strata.Tests.Server.Diagnostics.Traffic;

/// <summary>Keys of one prefix, numbered, in memory that stays where it is.</summary>
internal sealed unsafe class KeyNames : IDisposable
{
    private readonly byte* _memory;
    private readonly Key[] _keys;
    private readonly Dictionary<ulong, int> _numbers = [];

    public KeyNames(string prefix, int count, byte database = 0)
    {
        _keys = new Key[count];
        var room = prefix.Length + 10;
        _memory = (byte*)NativeMemory.Alloc((nuint)(room * count));
        for (var i = 0; i < count; i++)
        {
            var at = _memory + (i * room);
            var length = Encoding.ASCII.GetBytes($"{prefix}{i}", new Span<byte>(at, room));
            _keys[i] = new Key(at, length, database);
            _numbers.Add(_keys[i].Hash, i);
        }
    }

    public Key this[int number] => _keys[number];

    public int IndexOf(ulong hash) => _numbers[hash];

    public void Dispose() => NativeMemory.Free(_memory);
}
