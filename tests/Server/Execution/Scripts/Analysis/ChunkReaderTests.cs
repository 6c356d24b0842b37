using NUnit.Framework;
using Strata.Server.Scripting.Bytecode;

namespace Strata.Tests.Server.Execution.Scripts.Analysis;

/// <summary>Chunks as lua_dump writes them, made by hand.</summary>
[TestFixture]
internal sealed class ChunkReaderTests
{
    [Test]
    public void Functions_are_read_with_code_constants_and_what_is_in_them()
    {
        var function = ChunkReader.Read(Chunk(depth: 1));
        Assert.That((function.Parameters, function.Upvalues, function.Registers), Is.EqualTo((1, 2, 3)));
        Assert.That(function.Code.Select(code => code.Opcode), Is.EqualTo(new[] { Opcode.LoadK, Opcode.Return }));
        Assert.That(function.Constants, Is.EqualTo(new object?[] { "ab"u8.ToArray(), 1.5, null, null }));
        Assert.That(function.Inner, Has.Count.EqualTo(1));
        Assert.That(function.Inner[0].Inner, Is.Empty);
    }

    [Test]
    public void Torn_ones_are_refused_wherever_they_end()
    {
        var chunk = Chunk(depth: 1);
        for (var length = 0; length < chunk.Length; length++)
        {
            Assert.That(() => ChunkReader.Read(chunk.AsSpan(0, length)), Throws.InstanceOf<InvalidDataException>());
        }
    }

    [Test]
    public void Changed_ones_are_read_or_refused()
    {
        var random = new Random(1);
        for (var i = 0; i < 20_000; i++)
        {
            var chunk = Chunk(depth: 2);
            chunk[random.Next(chunk.Length)] = (byte)random.Next(256);
            try
            {
                Assert.That(ChunkReader.Read(chunk), Is.Not.Null);
            }
            catch (InvalidDataException refusal)
            {
                Assert.That(refusal.Message, Is.Not.Empty);
            }
        }
    }

    [Test]
    public void Functions_nested_too_deeply_are_refused()
        => Assert.That(() => ChunkReader.Read(Chunk(depth: 300)), Throws.InstanceOf<InvalidDataException>());

    private static byte[] Chunk(int depth)
    {
        using var bytes = new MemoryStream();
        using var writer = new BinaryWriter(bytes);
        writer.Write([0x1B, (byte)'L', (byte)'u', (byte)'a', 0x51, 0, 1, 4, 8, 4, 8, 0]);
        Write(writer, depth);
        return bytes.ToArray();
    }

    private static void Write(BinaryWriter writer, int depth)
    {
        writer.Write(0L); // No source.
        writer.Write(0L); // Two lines.
        writer.Write([2, 1, 0, 3]);
        writer.Write(2);
        writer.Write((uint)Opcode.LoadK);
        writer.Write((uint)Opcode.Return | (1u << 23));
        writer.Write(4);
        writer.Write((byte)4);
        writer.Write(3L);
        writer.Write("ab\0"u8);
        writer.Write((byte)3);
        writer.Write(1.5);
        writer.Write((byte)0);
        writer.Write([1, 1]);
        writer.Write(depth == 0 ? 0 : 1);
        if (depth > 0)
        {
            Write(writer, depth - 1);
        }

        writer.Write(1); // A line, a variable, an upvalue.
        writer.Write(7);
        writer.Write(1);
        writer.Write(2L);
        writer.Write("v\0"u8);
        writer.Write(0L);
        writer.Write(1);
        writer.Write(0L);
    }
}
