using System.Buffers.Binary;

namespace Strata.Server.Scripting.Bytecode;

/// <summary>Reads what <c>lua_dump</c> of Lua 5.1 writes on a 64-bit little-endian machine: a header, and the
/// functions, one within the other (ldump.c). It comes from Lua itself, yet is read as if it did not.</summary>
internal ref struct ChunkReader
{
    private const int MostNested = 200; // As in Lua's parser.

    // Version 5.1, official format, little-endian; sizes of int, size_t, instruction and number; numbers are floats.
    private static readonly byte[] s_header = [0x1B, (byte)'L', (byte)'u', (byte)'a', 0x51, 0, 1, 4, 8, 4, 8, 0];

    private ReadOnlySpan<byte> _left;

    private ChunkReader(ReadOnlySpan<byte> chunk)
    {
        _left = chunk;
    }

    /// <summary>Reads a chunk.</summary>
    /// <exception cref="InvalidDataException">It is none.</exception>
    public static Prototype Read(ReadOnlySpan<byte> chunk)
    {
        var reader = new ChunkReader(chunk);
        return reader.Take(s_header.Length).SequenceEqual(s_header)
            ? reader.ReadFunction(0)
            : throw new InvalidDataException("This is no code of Lua 5.1's for this machine.");
    }

    private Prototype ReadFunction(int depth)
    {
        if (depth > MostNested)
        {
            throw new InvalidDataException("Functions are nested too deeply.");
        }

        _ = ReadString(); // Where it comes from.
        _ = Take(2 * sizeof(int)); // Its first line and its last.
        var upvalues = Take(1)[0];
        var parameters = Take(1)[0];
        _ = Take(1); // Whether it takes any number of arguments.
        var registers = Take(1)[0];
        var code = new Instruction[ReadCount(sizeof(uint))];
        for (var i = 0; i < code.Length; i++)
        {
            code[i] = new Instruction(BinaryPrimitives.ReadUInt32LittleEndian(Take(sizeof(uint))));
        }

        var constants = new object?[ReadCount(1)];
        for (var i = 0; i < constants.Length; i++)
        {
            constants[i] = ReadConstant();
        }

        var inner = new Prototype[ReadCount(1)];
        for (var i = 0; i < inner.Length; i++)
        {
            inner[i] = ReadFunction(depth + 1);
        }

        SkipDebugInformation();
        return new Prototype(parameters, upvalues, registers, code, constants, inner);
    }

    private object? ReadConstant()
    {
        const int Nil = 0;
        const int Boolean = 1;
        const int Number = 3;
        const int String = 4;
        switch (Take(1)[0])
        {
            case Nil:
                return null;
            case Boolean:
                _ = Take(1);
                return null;
            case Number:
                return BinaryPrimitives.ReadDoubleLittleEndian(Take(sizeof(double)));
            case String:
                return ReadString().ToArray();
            default:
                throw new InvalidDataException("A constant has no known type.");
        }
    }

    private void SkipDebugInformation()
    {
        _ = Take(ReadCount(sizeof(int)) * sizeof(int)); // Lines.
        for (var left = ReadCount(1); left > 0; left--)
        {
            _ = ReadString(); // A local variable, and where it lives.
            _ = Take(2 * sizeof(int));
        }

        for (var left = ReadCount(1); left > 0; left--)
        {
            _ = ReadString(); // An upvalue.
        }
    }

    /// <summary>Reads a string without the zero that ends it.</summary>
    private ReadOnlySpan<byte> ReadString()
    {
        var length = BinaryPrimitives.ReadUInt64LittleEndian(Take(sizeof(ulong)));
        return length == 0 ? default
            : length <= (ulong)_left.Length ? Take((int)length)[..^1]
            : throw Torn();
    }

    /// <summary>Reads how many pieces follow, of at least so many bytes.</summary>
    private int ReadCount(int bytes)
    {
        var count = BinaryPrimitives.ReadInt32LittleEndian(Take(sizeof(int)));
        return count >= 0 && (long)count * bytes <= _left.Length ? count : throw Torn();
    }

    private ReadOnlySpan<byte> Take(int bytes)
    {
        if (bytes > _left.Length)
        {
            throw Torn();
        }

        var taken = _left[..bytes];
        _left = _left[bytes..];
        return taken;
    }

    private static InvalidDataException Torn() => new("The code ends too early.");
}
