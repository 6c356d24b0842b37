using NUnit.Framework;
using Strata.Server.Commands.HyperLogLogs;

namespace Strata.Tests.Server.Commands.HyperLogLogs;

/// <summary>Codes of every kind, gone over many at a time, against the same read one by one.</summary>
public sealed class SparseRegistersTests
{
    [FsCheck.NUnit.Property(MaxTest = 2_000)]
    public void A_register_has_the_value_of_its_code(byte[] codes, byte kinds)
    {
        // Of bytes that mostly look like the first of a long code many rows follow each other.
        var (some, at) = (Spread(codes, kinds), 0);
        for (var index = 0; at < some.Length;)
        {
            var code = SparseCode.Read(some, at);
            foreach (var within in (ReadOnlySpan<int>)[0, code.Run - 1])
            {
                Assert.That(SparseRegisters.ValueOf(some, index + within), Is.EqualTo(code.Value));
            }

            index += code.Run;
            at += code.Bytes;
        }
    }

    [Test]
    public void Registers_raised_in_any_order_are_those_raised_one_by_one([Range(0, 19)] int seed)
    {
        var random = new Random(seed);
        var ranks = new byte[HyperLogLogFormat.Registers];
        var buffer = new byte[HyperLogLogFormat.MaxSparseBytes];
        var registers = new SparseRegisters(buffer, SparseRegisters.WriteZeros(buffer));
        var index = 0;
        for (var i = 0; i < 3_000; i++)
        {
            index = random.Next(4) == 0
                ? random.Next(ranks.Length)
                : Math.Min(index + random.Next(1 << random.Next(1, 9)), ranks.Length - 1);
            var rank = random.Next(1, 4);
            var change = registers.Raise(index, rank, maxBytes: long.MaxValue);
            Assert.That(
                change, Is.EqualTo(ranks[index] < rank ? RegisterChange.Raised : RegisterChange.None), $"of {index}");
            ranks[index] = Math.Max(ranks[index], (byte)rank);
        }

        var codes = buffer.AsSpan(0, registers.Length);
        for (var i = 0; i < ranks.Length; i++)
        {
            Assert.That(SparseRegisters.ValueOf(codes, i), Is.EqualTo(ranks[i]), $"of {i}");
        }
    }

    private static byte[] Spread(byte[] codes, byte kinds)
    {
        var random = new Random(kinds);
        var some = new byte[codes.Length * 8];
        for (var i = 0; i < some.Length; i++)
        {
            var kind = random.Next(4 + (kinds & 7)) switch
            {
                0 => 0x00,
                1 => 0x80,
                2 => 0xc0,
                _ => 0x40,
            };
            some[i] = (byte)((codes[i / 8] + i & 0x3f) | kind);
        }

        return some;
    }
}
