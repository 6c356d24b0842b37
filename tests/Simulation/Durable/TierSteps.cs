using System.Globalization;

namespace Strata.Tests.Simulation.Durable;

/// <summary>Draws what a client does with data of every type, of small and large values.</summary>
internal sealed class TierSteps(Random random)
{
    private const long FarMs = 4_102_444_800_000;
    private const int FieldsAtOnce = 120;

    private int _number;

    /// <summary>The next step: commands that are one change.</summary>
    public string[] Next()
    {
        _number++;
        return random.Next(60) switch
        {
            < 20 => [$"SET s{Key()} {Value()}"],
            < 24 => [$"SET s{Key()} {Value()} PXAT {FarMs + _number}"],
            < 28 => [$"APPEND s{Key()} +{_number}"],
            < 31 => [$"DEL {"slehz"[random.Next(5)]}{Key()}"],
            < 34 => [$"RPUSH l{Key()} {Words(1)}"],
            < 36 => [$"LPOP l{Key()} {1 + random.Next(3)}"],
            < 39 => [$"SADD e{Key()} {Words(1 + random.Next(FieldsAtOnce))}"],
            < 42 => [$"HSET h{Key()} {Words(2 * (1 + random.Next(FieldsAtOnce)))}"],
            < 45 => [$"ZADD z{Key()} {string.Join(' ', Pairs(1 + random.Next(FieldsAtOnce)))}"],
            < 47 => [$"RPUSH l{Key()} {Words(FieldsAtOnce)}"],
            < 50 => ["MULTI", $"SET s{Key()} {Value()}", $"RPUSH l{Key()} {_number}", "EXEC"],
            < 52 => [$"PEXPIREAT s{Key()} {FarMs + _number}"],
            < 54 => [$"COPY s{Key()} s{Key()} REPLACE"],
            < 55 => [$"MOVE s{Key()} 1"],
            < 57 => ["SWAPDB 0 1"],
            < 58 => [random.Next(6) == 0 ? "FLUSHALL" : $"PERSIST s{Key()}"],
            < 59 => [random.Next(3) == 0 ? "FLUSHDB" : $"INCR n{_number % 3}"],
            _ => [$"UNLINK h{Key()} z{Key()} e{Key()}"],
        };
    }

    private int Key() => random.Next(TierHistory.Keys);

    private string Value()
    {
        var length = random.Next(12) switch
        {
            < 4 => 10,
            < 7 => 400,
            < 10 => 3000,
            < 11 => 20_000,
            _ => 90_000,
        };
        return _number.ToString(CultureInfo.InvariantCulture).PadRight(length, (char)('a' + random.Next(26)));
    }

    private string Words(int count)
        => string.Join(' ', Enumerable.Range(0, count).Select(_ => $"{random.Next(400)}:{_number % 7}"));

    private IEnumerable<string> Pairs(int count)
        => Enumerable.Range(0, count).Select(_ => $"{random.Next(1000)} {random.Next(400)}");
}
