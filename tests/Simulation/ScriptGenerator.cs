using System.Globalization;
using Strata.Tests.Simulation.Streams;

namespace Strata.Tests.Simulation;

/// <summary>Draws what clients do: random commands on few keys, each mostly of its own type.</summary>
/// <param name="random">Decides.</param>
/// <param name="faults">What goes wrong.</param>
/// <param name="hasStreams">Whether half of the commands are streams'.</param>
internal sealed class ScriptGenerator(Random random, SimulationFaults faults, bool hasStreams)
{
    // Most scripts end within so much simulated time.
    private const int LatestDeadlineMs = 400;

    // About as long as a few batches take.
    private const int LongestSoonMs = 16;

    /// <summary>The hash whose fields expire. Only what looks into it is asked of it, and nobody watches it: when the
    /// last field has expired the key is there until that is noticed, as in Redis.</summary>
    public const string ExpiringHash = "e0";

    private const SimulationFaults Refusals = SimulationFaults.ShortMemory | SimulationFaults.FailingDisk;

    // What is learned of a script does not hold for others that do the same. Each keeps to its keys when it is called
    // first, and is called so often.
    private const int CallsOfVariant = 3;

    // Most commands on streams change something on few keys, and so many orders of them have to be tried.
    private const int MostOfStreams = 4;

    // Scripts in whose text the commands stand, by these.
    private static readonly string[][] s_shapes = [["GET", "SET", "GET"], ["INCR", "RPUSH"], ["RPOP", "SADD", "HGET"]];

    private readonly bool _usesDeadlines = random.Next(2) == 0;
    private readonly bool _usesScripts = random.Next(2) == 0;
    private readonly StreamCommands? _streams = hasStreams ? new StreamCommands(random, faults) : null;

    // Of a script that nobody has answered for nobody knows which of its commands were refused.
    private readonly bool _isRefusalUnknown = (faults & Refusals) != 0 && (faults & SimulationFaults.PowerCut) != 0;
    private int _values;
    private int _calls;

    /// <summary>The keys; the first letter says what they mostly hold. Those of streams come on top.</summary>
    public static IReadOnlyList<string> Keys { get; } = ["s0", "s1", "s2", "l0", "l1", "h0", "t0", "t1"];

    /// <summary>Members of sets and fields of hashes.</summary>
    public static IReadOnlyList<string> Members { get; } = ["a", "b", "c"];

    /// <summary>Exchanges the database that all clients use with another one.</summary>
    public static string[] Exchange { get; } = ["SWAPDB", "0", "1"];

    /// <summary>What one client does.</summary>
    public ClientScript Next()
    {
        var batches = new List<IReadOnlyList<SimulatedRequest>>();
        if (hasStreams)
        {
            batches.Add([.. StreamCommands.FirstCommands.Select(SimulatedRequest.Of)]);
        }

        var count = 3 + random.Next(8);
        for (var i = 0; i < count; i++)
        {
            AddBatches(batches);
        }

        var isCutOff = (faults & SimulationFaults.CutOffClients) != 0 && random.Next(2) == 0
            && ((faults & Refusals) == 0 || !batches.Any(batch => batch.Any(request => request.Script != null)));
        return new ClientScript(batches, isCutOff);
    }

    private void AddBatches(List<IReadOnlyList<SimulatedRequest>> batches)
    {
        if (_usesDeadlines && random.Next(8) == 0)
        {
            AddExpiring(batches);
            return;
        }

        if (random.Next(6) == 0)
        {
            var key = Keys[random.Next(Keys.Count)];
            batches.Add([SimulatedRequest.Of("WATCH", key)]);
            batches.Add([SimulatedRequest.Of("EXISTS", key)]);
            batches.Add([Transaction(key)]);
            return;
        }

        var size = random.Next(3) == 0 ? 1 : 1 + random.Next(hasStreams ? MostOfStreams : 7);
        batches.Add([.. Enumerable.Range(0, size).Select(_ =>
            _usesScripts && random.Next(5) == 0 && !_isRefusalUnknown ? Script()
                : random.Next(12) == 0 ? Transaction(null)
                : SimulatedRequest.Of(Command()))]);
    }

    /// <summary>Something that expires soon, and is looked at until then: a key that is watched, or a field.</summary>
    private void AddExpiring(List<IReadOnlyList<SimulatedRequest>> batches)
    {
        if (random.Next(2) == 0)
        {
            var field = Member();
            batches.Add([
                SimulatedRequest.Of("HSET", ExpiringHash, field, Value()),
                SimulatedRequest.Of("HPEXPIREAT", ExpiringHash, Soon(), "FIELDS", "1", field),
                SimulatedRequest.Of("HGET", ExpiringHash, field),
            ]);
            batches.Add([SimulatedRequest.Of("HGET", ExpiringHash, field)]);
            return;
        }

        var key = Of('s');
        batches.Add([SimulatedRequest.Of("SET", key, Value(), "PXAT", Soon()), SimulatedRequest.Of("WATCH", key)]);
        batches.Add([SimulatedRequest.Of("EXISTS", key)]);
        batches.Add([Transaction(key)]);
    }

    /// <summary>Commands that are executed as one.</summary>
    private List<string[]> Several()
    {
        var commands = new List<string[]>();
        for (var count = 1 + random.Next(3); count > 0; count--)
        {
            commands.Add(_streams != null && random.Next(2) == 0 ? _streams.Single()
                : random.Next(3) == 0 ? Plural()
                : _usesDeadlines && random.Next(4) == 0 ? Timed()
                : random.Next(20) == 0 ? Exchange
                : Single());
        }

        return commands;
    }

    /// <summary>A script, which may use other keys than those it declares.</summary>
    private SimulatedRequest Script()
    {
        if (random.Next(3) == 0)
        {
            var said = s_shapes[random.Next(s_shapes.Length)].Select(Said).ToList();
            return new SimulatedRequest(said, IsTransaction: false) { Script = SimulatedScript.Of(said) };
        }

        var (variant, call) = Math.DivRem(_calls++, CallsOfVariant);
        var commands = Several();
        var keys = commands.SelectMany(command => command.Skip(1)).Where(IsKey).Distinct().ToList();
        if (call > 0)
        {
            // Mostly it has changed something when it first uses a key that it has not declared.
            string[] change = random.Next(2) == 0 ? ["SET", Of('s'), Value()] : ["SADD", Of('t'), Member()];
            commands.Insert(0, change);
            keys = [.. keys.Where(key => key != change[1] && random.Next(3) == 0).Prepend(change[1])];
        }

        return new SimulatedRequest(commands, IsTransaction: false) { Script = SimulatedScript.OfAny(variant, keys) };
    }

    /// <summary>Whether a word of a command is a key: nothing else is written like one.</summary>
    public static bool IsKey(string word)
        => word == ExpiringHash || Keys.Contains(word) || StreamCommands.Keys.Contains(word);

    private string[] Said(string name) => name switch
    {
        "SET" => [name, Of('s'), Value()],
        "RPUSH" => [name, Of('l'), Value(), Value()],
        "RPOP" => [name, Of('l')],
        "SADD" => [name, Of('t'), Member()],
        "HGET" => [name, Of('h'), Member()],
        _ => [name, Of('s')],
    };

    private SimulatedRequest Transaction(string? key)
    {
        var commands = Several();
        if (key != null)
        {
            commands.Add(["EXISTS", key]);
        }

        return new SimulatedRequest(commands, IsTransaction: true);
    }

    private string[] Command()
        => _streams == null || random.Next(2) == 0 ? Other()
            : random.Next(4) == 0 ? _streams.Blocking()
            : _streams.Single();

    private string[] Other() => random.Next(14) switch
    {
        _ when _usesDeadlines && random.Next(4) == 0 => Timed(),
        _ when random.Next(100) == 0 => ["FLUSHALL"],
        _ when random.Next(50) == 0 => Exchange,
        0 => Blocking(),
        < 4 => Plural(),
        _ => Single(),
    };

    /// <summary>What waits for a list; what moves on to another what it gets may wake others.</summary>
    private string[] Blocking() => random.Next(4) switch
    {
        0 => ["BLPOP", "l0", "l1", Timeout()],
        1 => ["BLPOP", Of('l'), Timeout()],
        _ => ["BLMOVE", Of('l'), Of('l'), Side(), Side(), Timeout()],
    };

    /// <summary>What sets, takes off or asks for the time when keys and fields expire. Only times that are named as
    /// such are in the history: what the server adds to its clock is not known to the digit.</summary>
    private string[] Timed() => random.Next(16) switch
    {
        < 3 => ["SET", Of('s'), Value(), "PXAT", Deadline()],
        < 5 => ["PEXPIREAT", Any(), Deadline()],
        5 => ["GETEX", Of('s'), "PXAT", Deadline()],
        6 => ["PERSIST", Any()],
        7 => ["PEXPIRETIME", Any()],
        < 10 => ["HSET", ExpiringHash, Member(), Value()],
        < 13 => ["HPEXPIREAT", ExpiringHash, Deadline(), "FIELDS", "1", Member()],
        13 => ["HPEXPIRETIME", ExpiringHash, "FIELDS", "1", Member()],
        14 => ["HDEL", ExpiringHash, Member()],
        _ => ["HGET", ExpiringHash, Member()],
    };

    /// <summary>Often one that comes soon after it is sent, and else any.</summary>
    private string Deadline() => random.Next(2) == 0 ? Soon() : Sometime();

    private string Soon() => SimulatedRequest.FromNow + Number(1 + random.Next(LongestSoonMs));

    private string Sometime()
        => (SimulatedClock.StartMs + 1 + random.Next(LatestDeadlineMs)).ToString(CultureInfo.InvariantCulture);

    private string Timeout() => random.Next(3) == 0 ? "0.05" : "0";

    private string[] Plural() => random.Next(7) switch
    {
        0 => ["MGET", "s0", "s1", "s2"],
        1 => ["MSET", "s0", Value(), "s1", Value()],
        2 => ["DEL", Of('s'), Of('l'), Of('h')],
        3 => ["EXISTS", Of('s'), Of('l'), Of('t')],
        4 => ["LMOVE", Of('l'), Of('l'), Side(), Side()],
        5 => ["SMOVE", Of('t'), Of('t'), Member()],
        _ => ["MSETNX", "s1", Value(), "s2", Value()],
    };

    private string[] Single() => random.Next(24) switch
    {
        < 3 => ["GET", Of('s')],
        < 5 => ["SET", Of('s'), Value()],
        5 => ["SET", Of('s'), random.Next(10).ToString(CultureInfo.InvariantCulture)],
        6 or 7 => ["INCR", Of('s')],
        8 => ["APPEND", Of('s'), Value()],
        9 => ["DEL", Any()],
        10 => ["STRLEN", Of('s')],
        11 or 12 => ["LPUSH", Of('l'), Value()],
        13 => ["RPUSH", Of('l'), Value(), Value()],
        14 => ["RPOP", Of('l')],
        15 => ["LLEN", Of('l')],
        16 => ["SADD", Of('t'), Member()],
        17 => ["SREM", Of('t'), Member()],
        18 => ["SISMEMBER", Of('t'), Member()],
        19 => ["SMEMBERS", Of('t')],
        20 => ["HSET", Of('h'), Member(), Value()],
        21 => ["HGET", Of('h'), Member()],
        22 => ["HDEL", Of('h'), Member()],
        _ => ["HINCRBY", Of('h'), "n", "1"],
    };

    private static string Number(int value) => value.ToString(CultureInfo.InvariantCulture);

    private string Side() => random.Next(2) == 0 ? "LEFT" : "RIGHT";

    private string Member() => Members[random.Next(Members.Count)];

    /// <summary>A key of any type.</summary>
    private string Any() => Of(_streams == null ? "slht"[random.Next(4)] : "slhtx"[random.Next(5)]);

    /// <summary>A key that mostly holds the type of a letter.</summary>
    private string Of(char letter)
    {
        var own = letter == 'x' ? StreamCommands.Keys : [.. Keys.Where(key => key[0] == letter)];
        var all = random.Next(25) != 0 ? own : _streams == null ? Keys : [.. Keys, .. StreamCommands.Keys];
        return all[random.Next(all.Count)];
    }

    /// <summary>A value that no other is equal to.</summary>
    private string Value() => Padded($"v{++_values}.", random, faults);

    /// <summary>A value that is long where memory is to be short.</summary>
    public static string Padded(string text, Random random, SimulationFaults faults)
        => (faults & SimulationFaults.ShortMemory) != 0 && random.Next(2) == 0
            ? text.PadRight(200 + random.Next(3000), 'x')
            : text;
}
