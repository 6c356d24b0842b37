using System.Runtime.InteropServices;
using NUnit.Framework;
using Strata.Server.Commands.Bitmaps;
using Strata.Storage;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Records;
using Strata.Storage.Sharding;

namespace Strata.Tests.Server.Commands.Bitmaps;

public sealed class BitCombinerTests
{
    private MemoryBudget _budget = null!;
    private Quiescence _quiescence = null!;
    private ShardMap _shards = null!;
    private Shard _shard = null!;

    [OneTimeSetUp]
    public void MakeShard()
    {
        _budget = new MemoryBudget();
        _quiescence = new Quiescence(1);
        var settings = new ShardSettings(Shards: 1, Limits.MinPageBits, IsShared: false);
        _shards = new ShardMap(settings, _budget, _quiescence);
        _shard = _shards[0];
    }

    [OneTimeTearDown]
    public void DisposeShard()
    {
        _shards.Dispose();
        _quiescence.Dispose();
    }

    [SetUp]
    public void ClearShard() => DatabaseEraser.EraseAll(_shard, author: null);

    [FsCheck.NUnit.Property(MaxTest = 200)]
    public void Combines_as_byte_by_byte_with_zeros_behind_the_shorter(int seed)
    {
        var random = new Random(seed);
        var operation = (BitOperation)random.Next(4);
        var values = RandomValues(random, operation == BitOperation.Not ? 1 : random.Next(1, 6));
        DatabaseEraser.EraseAll(_shard, author: null);
        var sources = Store(values);
        var expected = Model(operation, values);
        var destination = new byte[expected.Length];
        BitCombiner.Combine(operation, sources, destination);
        Assert.That(destination, Is.EqualTo(expected));

        // Over the longest of the sources, as when BITOP's destination is one of them.
        var longest = Array.FindIndex(values, value => value.Length == expected.Length);
        if (!sources[longest].IsNull)
        {
            BitCombiner.Combine(operation, sources, sources[longest].MutableValue);
            Assert.That(sources[longest].Value.ToArray(), Is.EqualTo(expected));
        }
    }

    private static byte[][] RandomValues(Random random, int count)
    {
        var values = new byte[count][];
        for (var i = 0; i < count; i++)
        {
            // Around the chunks of 4 KiB, around a vector, and none.
            values[i] = new byte[random.Next(3) switch { 0 => random.Next(4000, 9000), 1 => random.Next(70), _ => 0 }];
            random.NextBytes(values[i]);
        }

        return values;
    }

    private static byte[] Model(BitOperation operation, byte[][] values)
    {
        var result = new byte[values.Max(value => value.Length)];
        for (var i = 0; i < result.Length; i++)
        {
            var bytes = values.Select(value => i < value.Length ? value[i] : (byte)0);
            result[i] = operation switch
            {
                BitOperation.And => bytes.Aggregate((a, b) => (byte)(a & b)),
                BitOperation.Or => bytes.Aggregate((a, b) => (byte)(a | b)),
                BitOperation.Xor => bytes.Aggregate((a, b) => (byte)(a ^ b)),
                _ => (byte)~bytes.Single(),
            };
        }

        return result;
    }

    /// <summary>Records of the values; of an empty one none, as of a missing key.</summary>
    private unsafe Record[] Store(byte[][] values)
    {
        var records = new Record[values.Length];
        var name = (byte*)NativeMemory.Alloc(1);
        for (var i = 0; i < values.Length; i++)
        {
            if (values[i].Length > 0)
            {
                *name = (byte)i;
                var key = new Key(name, 1, database: 0);
                var spec = new RecordSpec(key, RecordType.String, expiryMs: -1);
                records[i] = _shard.Write(key, default, spec, values[i].Length);
                values[i].CopyTo(records[i].MutableValue);
            }
        }

        NativeMemory.Free(name);
        return records;
    }
}
