namespace Strata.Tests.Oracle;

/// <summary>Bit commands over strings: all field types and overflow modes, right and wrong.</summary>
internal sealed class BitmapsFamily : ICommandFamily
{
    private static readonly Func<CommandPool, string[]>[] s_commands =
    [
        p => ["SETBIT", p.Key(), p.Offset(), Bit(p)],
        p => ["SETBIT", p.Key(), p.Offset(), Bit(p)],
        p => ["GETBIT", p.Key(), p.Offset()],
        BitCount, BitPos, BitOp, BitField, BitField, BitFieldRo,
    ];

    public string Name => "bitmaps";

    public OracleStep Next(CommandPool pool) => OracleStep.Single(Random(pool));

    /// <summary>The arguments of a command of this family, for commands about commands.</summary>
    public static string[] Random(CommandPool pool) => CommandNoise.Apply(pool, pool.Pick(s_commands)(pool));

    private static string Bit(CommandPool pool) => pool.Chance(0.1) ? pool.Integer() : pool.Pick("0", "1", "1");

    private static string[] BitCount(CommandPool pool) =>
        pool.Chance(0.3) ? ["BITCOUNT", pool.Key()] : ["BITCOUNT", pool.Key(), .. Range(pool)];

    private static string[] BitPos(CommandPool pool) => pool.Below(4) switch
    {
        0 => ["BITPOS", pool.Key(), Bit(pool)],
        1 => ["BITPOS", pool.Key(), Bit(pool), pool.Position()],
        _ => ["BITPOS", pool.Key(), Bit(pool), .. Range(pool)],
    };

    private static string[] Range(CommandPool pool) => pool.Below(3) switch
    {
        0 => [pool.Position(), pool.Position()],
        _ => [pool.Position(), pool.Position(), pool.MixedCase(pool.Pick("BYTE", "BIT", "BIT", "BITS"))],
    };

    private static string[] BitOp(CommandPool pool)
    {
        var operation = pool.MixedCase(pool.Pick("AND", "OR", "XOR", "NOT", "NAND"));
        return ["BITOP", operation, pool.Key(), .. pool.Several(4, pool.Key)];
    }

    private static string[] BitField(CommandPool pool)
    {
        var words = new List<string> { "BITFIELD", pool.Key() };
        do
        {
            words.AddRange(BitFieldOperation(pool));
        }
        while (pool.Chance(0.6));
        return [.. words];
    }

    private static string[] BitFieldRo(CommandPool pool)
    {
        var words = new List<string> { "BITFIELD_RO", pool.Key() };
        while (pool.Chance(0.6))
        {
            words.AddRange(pool.Chance(0.9) ? Get(pool) : BitFieldOperation(pool));
        }

        return [.. words];
    }

    private static string[] BitFieldOperation(CommandPool pool) => pool.Below(4) switch
    {
        0 => Get(pool),
        1 => [pool.MixedCase("SET"), FieldType(pool), FieldOffset(pool), pool.Integer()],
        2 => [pool.MixedCase("INCRBY"), FieldType(pool), FieldOffset(pool), pool.Integer()],
        _ => [pool.MixedCase("OVERFLOW"), pool.MixedCase(pool.Pick("WRAP", "SAT", "FAIL", "NONE"))],
    };

    private static string[] Get(CommandPool pool) => [pool.MixedCase("GET"), FieldType(pool), FieldOffset(pool)];

    private static string FieldType(CommandPool pool)
    {
        if (pool.Chance(0.08))
        {
            return pool.Pick("u64", "i65", "u0", "i0", "8", "", "x8", "u", "i-1", "I8", "u+8");
        }

        return pool.Chance(0.5)
            ? pool.Pick("u", "i") + CommandPool.Text(1 + pool.Below(63))
            : pool.Pick("u8", "i8", "u16", "i16", "i64", "u63", "u1", "i1", "u4", "i5");
    }

    private static string FieldOffset(CommandPool pool) => (pool.Chance(0.4) ? "#" : string.Empty) + pool.Offset();
}
