using System.Globalization;

namespace Strata.Tests.Simulation.Durable;

/// <summary>Draws what a client does with data of every type, of small and large values.</summary>
internal sealed class TierSteps(Random random)
{
    private const long FarMs = 4_102_444_800_000;
    private const int FieldsAtOnce = 120;

    // Few, so that much happens to each, and ids that it may have had.
    private const int Streams = 4;
    private const int IdsAtOnce = 40;

    private int _number;

    /// <summary>The next step: commands that are one change.</summary>
    public string[] Next()
    {
        _number++;
        return random.Next(80) switch
        {
            >= 60 => [.. OnStream()],
            < 20 => [$"SET s{Key()} {Value()}"],
            < 24 => [$"SET s{Key()} {Value()} PXAT {FarMs + _number}"],
            < 28 => [$"APPEND s{Key()} +{_number}"],
            < 31 => [$"DEL {"slehzx"[random.Next(6)]}{Key()}"],
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
            _ => [$"UNLINK h{Key()} z{Key()} e{Key()} x{Key()}"],
        };
    }

    /// <summary>Of each stream the ids count up from 1-0.</summary>
    private string[] OnStream()
    {
        var stream = $"x{random.Next(Streams)}";
        return random.Next(24) switch
        {
            < 5 => [$"XADD {stream} 1-* f {Value()}"],
            < 7 => [$"XADD {stream} MAXLEN {random.Next(20)} 1-* f {_number} g {Value()}"],
            < 9 => ["MULTI", .. Enumerable.Range(0, 8).Select(i => $"XADD {stream} 1-* f {i} h {_number}"), "EXEC"],
            < 11 => [$"XGROUP CREATE {stream} {Group()} {random.Next(2)} MKSTREAM"],
            < 16 => [ReadOfGroup(stream)],
            < 18 => [$"XACK {stream} {Group()} {Ids()}"],
            18 => [$"XDEL {stream} {Ids()}"],
            19 => [$"XCLAIM {stream} {Group()} {Consumer()} 0 {Ids()} FORCE"],
            20 => [$"XAUTOCLAIM {stream} {Group()} {Consumer()} 0 {random.Next(2)} COUNT {1 + random.Next(5)}"],
            21 => ["MULTI", $"XADD {stream} 1-* f v", ReadOfGroup(stream), $"XACK {stream} {Group()} {Ids()}", "EXEC"],
            22 => [random.Next(2) == 0
                ? $"XGROUP DELCONSUMER {stream} {Group()} {Consumer()}"
                : $"XGROUP SETID {stream} {Group()} 1-{random.Next(IdsAtOnce)}"],
            _ => [random.Next(3) switch
            {
                0 => $"XTRIM {stream} MINID 1-{random.Next(IdsAtOnce)}",
                1 => $"COPY {stream} x{random.Next(Streams)} REPLACE",
                _ => $"XGROUP DESTROY {stream} {Group()}",
            }],
        };
    }

    private string ReadOfGroup(string stream)
    {
        var seen = random.Next(4) == 0 ? "0" : ">";
        return $"XREADGROUP GROUP {Group()} {Consumer()} COUNT {1 + random.Next(9)} STREAMS {stream} {seen}";
    }

    private string Ids() => string.Join(' ', Enumerable.Range(0, 6).Select(_ => $"1-{random.Next(IdsAtOnce)}"));

    private string Group() => TierHistory.Groups[random.Next(TierHistory.Groups.Length)];

    private string Consumer() => $"c{random.Next(3)}";

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
