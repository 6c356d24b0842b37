using System.Globalization;

namespace Strata.Tests.Simulation.Streams;

/// <summary>Draws commands on a few streams with a few groups and consumers.</summary>
/// <param name="random">Decides.</param>
/// <param name="faults">What goes wrong.</param>
internal sealed class StreamCommands(Random random, SimulationFaults faults)
{
    // The first half of the ids goes up with the commands that were drawn, so that most are higher than those before.
    private const int CommandsOfMs = 12;
    private const int MostSeq = 8;
    private const int MostWaitMs = 60;

    private int _drawn;
    private int _values;

    /// <summary>The keys, all of which hold streams mostly.</summary>
    public static IReadOnlyList<string> Keys { get; } = ["x0", "x1"];

    /// <summary>A key that mostly holds a string, and now and then a stream.</summary>
    public static string OtherKey => ScriptGenerator.Keys[0];

    /// <summary>The groups that a stream may have.</summary>
    public static IReadOnlyList<string> Groups { get; } = ["g", "k"];

    /// <summary>With these each client makes sure that there are groups to read for.</summary>
    public static IEnumerable<string[]> FirstCommands
        => Keys.Select(key => new[] { "XGROUP", "CREATE", key, Groups[0], "0", "MKSTREAM" });

    private static readonly string[] s_consumers = ["a", "b", "c"];

    /// <summary>What must be asked to see all of a key's stream, if it holds one.</summary>
    public static IEnumerable<string[]> Questions(string key)
        => Groups.SelectMany(group => new[]
            {
                new[] { "XPENDING", key, group, "-", "+", "100" }, ["XINFO", "CONSUMERS", key, group],
            })
            .Prepend(["XINFO", "GROUPS", key])
            .Prepend(["XINFO", "STREAM", key])
            .Prepend(["XRANGE", key, "-", "+"]);

    /// <summary>A command that does not wait.</summary>
    public string[] Single()
    {
        _drawn++;
        return random.Next(40) switch
        {
            < 10 => Add(),
            < 11 => ["XTRIM", Key(), .. Trim()],
            < 13 => ["XDEL", Key(), Id(), Id()],
            < 14 => ["XLEN", Key()],
            < 16 => Range(),
            < 17 => Read(null),
            < 21 => OnGroup(),
            < 27 => ReadOfGroup(null),
            < 31 => ["XACK", Key(), Group(), Id(), Id(), Id()],
            < 33 => Claim(),
            < 35 => ClaimAll(),
            < 37 => Pending(),
            < 38 => Rename(),
            < 39 => ["XINFO", random.Next(2) == 0 ? "STREAM" : "GROUPS", Key()],
            _ => ["DEL", Key()],
        };
    }

    /// <summary>A command that waits.</summary>
    public string[] Blocking() => random.Next(3) == 0 ? Read(Wait()) : ReadOfGroup(Wait());

    private string[] Add() => random.Next(4) switch
    {
        0 => ["XADD", Key(), NewId(), "f", Value()],
        1 => ["XADD", Key(), "NOMKSTREAM", NewId(), "f", Value(), "h", Value()],
        2 => ["XADD", Key(), .. Trim(), NewId(), "f", Value()],
        _ => ["XADD", Key(), $"{Ms()}-*", "f", Value()],
    };

    private string[] Trim() => random.Next(2) == 0
        ? ["MAXLEN", Text(random.Next(6))]
        : ["MINID", Id()];

    private string[] Range() => random.Next(3) switch
    {
        0 => ["XRANGE", Key(), "-", "+"],
        1 => ["XRANGE", Key(), "(" + Id(), "+", "COUNT", "2"],
        _ => ["XRANGE", Key(), Id(), Id()],
    };

    private string[] OnGroup() => random.Next(12) switch
    {
        < 5 => ["XGROUP", "CREATE", Key(), Group(), random.Next(2) == 0 ? "$" : "0", "MKSTREAM"],
        < 6 => ["XGROUP", "CREATE", Key(), Group(), Id()],
        < 7 => ["XGROUP", "SETID", Key(), Group(), random.Next(2) == 0 ? "$" : Id()],
        < 8 => ["XGROUP", "DESTROY", Key(), Group()],
        < 10 => ["XGROUP", "CREATECONSUMER", Key(), Group(), Consumer()],
        _ => ["XGROUP", "DELCONSUMER", Key(), Group(), Consumer()],
    };

    private string[] Read(string? waitMs)
    {
        var last = waitMs != null && random.Next(2) == 0;
        return ["XREAD", .. Options(waitMs), "STREAMS", .. Streams(() => last ? "$" : Id())];
    }

    private string[] ReadOfGroup(string? waitMs)
    {
        string[] options = random.Next(6) == 0 ? [.. Options(waitMs), "NOACK"] : Options(waitMs);
        return ["XREADGROUP", "GROUP", Group(), Consumer(), .. options, "STREAMS", .. Streams(Seen)];

        string Seen() => random.Next(waitMs == null ? 3 : 20) > 0 ? ">" : random.Next(2) == 0 ? "0" : Id();
    }

    private string[] Options(string? waitMs)
    {
        string[] count = random.Next(3) == 0 ? [] : ["COUNT", Text(1 + random.Next(3))];
        return waitMs == null ? count : [.. count, "BLOCK", waitMs];
    }

    private string[] Streams(Func<string> id)
        => random.Next(4) == 0 ? [.. Keys, .. Keys.Select(_ => id())] : [Key(), id()];

    private string[] Claim()
    {
        string[] options = random.Next(5) switch
        {
            0 => ["FORCE"],
            1 => ["JUSTID"],
            2 => ["RETRYCOUNT", Text(random.Next(5)), "FORCE"],
            _ => [],
        };
        return ["XCLAIM", Key(), Group(), Consumer(), "0", Id(), Id(), .. options];
    }

    private string[] ClaimAll()
    {
        string[] options = random.Next(3) switch
        {
            0 => ["COUNT", "1"],
            1 => ["COUNT", "2", "JUSTID"],
            _ => [],
        };
        return ["XAUTOCLAIM", Key(), Group(), Consumer(), "0", random.Next(2) == 0 ? "0" : Id(), .. options];
    }

    private string[] Pending() => random.Next(3) switch
    {
        0 => ["XPENDING", Key(), Group()],
        1 => ["XPENDING", Key(), Group(), "-", "+", "10"],
        _ => ["XPENDING", Key(), Group(), "-", "+", "3", Consumer()],
    };

    private string[] Rename()
    {
        var from = random.Next(Keys.Count);
        return ["RENAME", Keys[from], Keys[(from + 1) % Keys.Count]];
    }

    private string NewId() => random.Next(2) == 0 ? $"{Ms()}-*" : Id();

    private string Id() => $"{Ms()}-{1 + random.Next(MostSeq)}";

    private int Ms() => 1 + (_drawn / CommandsOfMs);

    private string Wait() => random.Next(3) == 0 ? Text(1 + random.Next(MostWaitMs)) : "0";

    private string Value() => ScriptGenerator.Padded($"x{++_values}.", random, faults);

    private string Key() => random.Next(30) == 0 ? OtherKey : Keys[random.Next(Keys.Count)];

    private string Group() => Groups[random.Next(4) == 0 ? 1 : 0];

    private string Consumer() => s_consumers[random.Next(s_consumers.Length)];

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
