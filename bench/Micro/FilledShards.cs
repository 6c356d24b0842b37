using System.Runtime.InteropServices;
using Strata.Bench.Keys;
using Strata.Storage;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Records;
using Strata.Storage.Sharding;

namespace Strata.Bench.Micro;

/// <summary>
/// Shards that hold the keys 0…n-1, and the bytes of twice as many keys, so that the upper half are keys to miss. No
/// worker runs beside it: the benchmark's thread holds every lease.
/// </summary>
public sealed unsafe class FilledShards : IDisposable
{
    private const int ShardCount = 16;

    private readonly byte* _keyBytes;
    private readonly Quiescence _quiescence = new(workers: 1);
    private SplitMix64 _random = new(1);

    /// <summary>Sets every key to a string of <paramref name="valueBytes"/> bytes.</summary>
    public FilledShards(int keys, int valueBytes)
    {
        KeyCount = keys;
        _keyBytes = (byte*)NativeMemory.Alloc((nuint)keys * 2, KeyName.SizeBytes);
        var settings = new ShardSettings(ShardCount, Limits.MaxPageBits, IsShared: false);
        Shards = new ShardMap(settings, new MemoryBudget(), _quiescence);
        for (var i = 0; i < keys * 2; i++)
        {
            var name = new Span<byte>(_keyBytes + ((long)i * KeyName.SizeBytes), KeyName.SizeBytes);
            "key:"u8.CopyTo(name);
            KeyName.WriteDigits(name[KeyName.PrefixBytes..], i);
            if (i < keys)
            {
                var key = KeyAt(i);
                Shards.Of(key.Hash).Write(key, default, new RecordSpec(key, RecordType.String, -1), valueBytes)
                    .MutableValue.Fill((byte)'v');
            }
        }
    }

    public int KeyCount { get; }

    public ShardMap Shards { get; }

    /// <summary>The next key that is there, drawn evenly. Hashed anew, as for a request.</summary>
    public Key NextPresent() => KeyAt(_random.NextBelow(KeyCount));

    /// <summary>The next key that is not there.</summary>
    public Key NextMissing() => KeyAt(KeyCount + _random.NextBelow(KeyCount));

    public void Dispose()
    {
        Shards.Dispose();
        _quiescence.Dispose();
        NativeMemory.Free(_keyBytes);
    }

    private Key KeyAt(long number) => new(_keyBytes + (number * KeyName.SizeBytes), KeyName.SizeBytes, database: 0);
}
