using System.Globalization;
using Strata.Tests.Support;

namespace Strata.Tests.Oracle;

/// <summary>Scripts: commands of the other families called by them, values of Lua that become replies, replies that
/// become values of Lua, errors, and the libraries.</summary>
internal sealed class ScriptsFamily : ICommandFamily
{
    // They call the command in their arguments; what they answer is what it does.
    private const string Caller = "return redis.call(unpack(ARGV))";
    private const string ProtectedCaller = "return redis.pcall(unpack(ARGV))";

    private static readonly string[] s_callers =
    [
        Caller, ProtectedCaller, "local r = redis.pcall(unpack(ARGV)); return type(r)",
        "redis.setresp(3); local r = redis.pcall(unpack(ARGV)); return type(r)",
        "local ok, e = pcall(redis.call, unpack(ARGV)); return ok",
        "local r = redis.pcall(unpack(ARGV)); if type(r) == 'table' then return {r.ok, r.err, #r} end; return type(r)",
    ];

    private static readonly string[] s_libraryCalls =
    [
        "return cjson.encode({1, 2, {a = V}})", "return cjson.encode(V)", "return cjson.encode({V, V, V})",
        "return cjson.decode(S)", "return cjson.decode('[1, 2, {\"a\": null}, \"x\\u00e9\", 1e3]')[5]",
        "return cjson.encode(cjson.decode('{\"a\":[1,2,{\"b\":null}]}'))", "return cjson.encode(cjson.null)",
        "return tostring(cjson.decode('[1.5]')[1])", "return cjson.encode({[1]='a', [4]='b'})",
        "return cmsgpack.pack(V)", "return cmsgpack.pack(V, V)", "return cmsgpack.pack({V, V})",
        "return cmsgpack.unpack(cmsgpack.pack(V))", "return {cmsgpack.unpack(cmsgpack.pack(V, 1, 's'))}",
        "return cmsgpack.unpack(S)", "return cmsgpack.pack({a = V})", "return {cmsgpack.unpack_one(S, 0)}",
        "return {cmsgpack.unpack_limit(cmsgpack.pack(1, 2, 3), 2, 0)}",
        "return struct.pack('>I2hBs', 1, 2, 3, S)", "return {struct.unpack('>I2', S)}", "return struct.size('i4')",
        "return {struct.unpack('<dLc0', struct.pack('<dLc0', 1.5, 3, 'abc'))}", "return struct.pack('I', N)",
        "return {struct.unpack(S, S)}", "return struct.pack('!4i1i4', N, N)",
        "return bit.band(N, N)", "return bit.bor(N, N, 7)", "return bit.bxor(N, N)", "return bit.bnot(N)",
        "return bit.lshift(N, N)", "return bit.rshift(N, N)", "return bit.arshift(N, N)", "return bit.rol(N, N)",
        "return bit.ror(N, N)", "return bit.bswap(N)", "return bit.tohex(N, N)", "return bit.tobit(N)",
        "math.randomseed(N); return math.random(100)", "return redis.sha1hex(S)",
        "return {string.find(S, S)}", "return {string.match(S, '(%w)(%d*)')}", "return {string.gsub(S, '%w', '<%0>')}",
        "return string.format('%q %5.2f %s', S, N, V)", "return string.rep(S, 3)", "return string.byte(S, 1, -1)",
        "return {string.find(S, '[%a_]+', N)}", "return string.gsub(S, '(.)', {a = 1, b = 'x'})",
        "local r = {} for w in string.gmatch(S, '%a+') do r[#r + 1] = w end return r", "return #S",
        "return table.concat({1, 2, S}, ',')", "local t = {3, 1, 2} table.sort(t) return t", "return tostring(N)",
        "return tonumber(S)", "return tonumber(S, 16)", "return {unpack({1, 2, 3}, 2)}", "return select('#', V, V)",
    ];

    private static readonly string[] s_errors =
    [
        "return nosuchglobal", "x = 1", "error(S)", "error({err = S})", "error()", "return redis.call()",
        "return redis.call(V)", "return redis.call('GET', V)", "return {err = S}", "return {ok = S}", "syntax(",
        "return redis.error_reply(S)", "return redis.status_reply(S)", "return redis.error_reply(V)",
        "return redis.setresp(N)", "return redis.set_repl(N)", "return redis.log(N, S)", "return redis.nosuch()",
        "string.x = 1", "_G.x = 1", "setmetatable(_G, {})", "return getmetatable('').__index == string",
        "\n\nerror('line three')", "local t = nil; return t.x", "return 1 + {}", "return #5", "return {} < {}",
        "return pcall(error, S)", "local f = loadstring(S) return type(f)", "return loadstring('return 1')()",
        "return type(print)", "return type(debug)", "return type(dofile)", "return rawset(_G, 'x', 1)",
        "local a <const> = 1", "goto x", "return redis.replicate_commands()", "return redis.REDIS_VERSION == nil",
        "return #KEYS + #ARGV", "return {KEYS, ARGV}", "KEYS[1] = 'x' return KEYS[1]", "return string.dump",
        "return {pcall(redis.call, 'INCR', 'x', 'y')}", "return coroutine.wrap(function() error(S) end)()",
        "return xpcall(function() error(S) end, function(e) return e end)", "return next({})",
    ];

    private static readonly string[] s_administration =
    [
        "EXISTS", "FLUSH", "LOAD", "KILL", "NOSUCH",
    ];

    public string Name => "scripts";

    public OracleStep Next(CommandPool pool) => OracleStep.Single(Random(pool));

    private static string[] Random(CommandPool pool) => pool.Below(20) switch
    {
        < 7 => Call(pool),
        < 11 => Eval(pool, $"return {Value(pool, 3)}"),
        < 15 => Eval(pool, Fill(pool, pool.Pick(s_libraryCalls))),
        < 18 => Eval(pool, Fill(pool, pool.Pick(s_errors))),
        18 => CommandNoise.Apply(pool, Eval(pool, "return 1")),
        _ => Administration(pool),
    };

    private static string[] Call(CommandPool pool)
    {
        string[] command = pool.Below(7) switch
        {
            0 => ListsFamily.Random(pool),
            1 => HashesFamily.Random(pool),
            2 => SetsFamily.Random(pool),
            3 => SortedSetsFamily.Random(pool),
            4 => BitmapsFamily.Random(pool),
            5 => HyperLogLogsFamily.Random(pool),
            _ => StringsFamily.Random(pool),
        };
        string[] keys = pool.Chance(0.5) ? pool.Several(3, pool.Key) : [];
        return
        [
            pool.Chance(0.9) ? "EVAL" : "EVAL_RO", pool.Chance(0.5) ? Caller : pool.Pick(s_callers),
            CommandPool.Text(keys.Length), .. keys, .. command,
        ];
    }

    private static string[] Eval(CommandPool pool, string script)
    {
        string[] keys = pool.Chance(0.3) ? pool.Several(2, pool.Key) : [];
        string[] arguments = pool.Chance(0.3) ? pool.Several(2, pool.Value) : [];
        var count = pool.Chance(0.97) ? CommandPool.Text(keys.Length) : pool.Integer();
        return [pool.MixedCase(pool.Chance(0.9) ? "EVAL" : "EVAL_RO"), script, count, .. keys, .. arguments];
    }

    private static string[] Administration(CommandPool pool)
    {
        if (pool.Chance(0.3))
        {
            return ["EVALSHA", pool.Pick("e0e1f9fabfc9d4800c877a703b823ac0578ff8db", "x", new string('0', 40)), "0"];
        }

        var word = pool.Pick(s_administration);
        return CommandNoise.Apply(pool, word switch
        {
            "EXISTS" => ["SCRIPT", word, "e0e1f9fabfc9d4800c877a703b823ac0578ff8db", pool.Junk()],
            "LOAD" => ["SCRIPT", word, pool.Pick("return 1", "return 2", "x(")],
            "FLUSH" => ["SCRIPT", word, .. pool.Pick<string[]>([], ["ASYNC"], ["sync"], ["now"])],
            _ => ["SCRIPT", word],
        });
    }

    /// <summary>Puts values in the places of single capitals.</summary>
    private static string Fill(CommandPool pool, string template)
    {
        var text = new System.Text.StringBuilder();
        for (var i = 0; i < template.Length; i++)
        {
            var stands = (i == 0 || !char.IsLetterOrDigit(template[i - 1]))
                && (i + 1 == template.Length || !char.IsLetterOrDigit(template[i + 1]));
            text.Append(template[i] switch
            {
                'V' when stands => Value(pool, 2),
                'S' when stands => Text(pool),
                'N' when stands => Number(pool),
                var c => c,
            });
        }

        return text.ToString();
    }

    private static string Value(CommandPool pool, int depth) => pool.Below(depth > 0 ? 11 : 6) switch
    {
        0 => "nil",
        1 => pool.Pick("true", "false"),
        2 or 3 => Number(pool),
        4 or 5 => Text(pool),
        6 => $"{{ok = {Text(pool)}}}",
        7 => $"{{[{Number(pool)}] = {Value(pool, depth - 1)}}}",
        8 => $"{{a = {Value(pool, depth - 1)}}}",
        _ => "{" + string.Join(", ", pool.Several(4, () => Value(pool, depth - 1))) + "}",
    };

    private static string Number(CommandPool pool) => pool.Pick(
        "0", "1", "-1", "2", "3.5", "-3.99", "10", "255", "65536", "1e3", "2^31", "-2^31", "2^32", "2^53", "-2^53", "7",
        "31", "0.1", "100", "-0.5");

    private static string Text(CommandPool pool)
    {
        var text = new System.Text.StringBuilder("'");
        foreach (var c in pool.Value())
        {
            text.Append(char.IsAsciiLetterOrDigit(c) || c == ' '
                ? c.ToString()
                : "\\" + ((int)c).ToString("D3", CultureInfo.InvariantCulture));
        }

        return text.Append('\'').ToString();
    }

    /// <summary>Of a script that only calls a command, the command; else null.</summary>
    public static RespCommand? CalledBy(RespCommand command)
        => command.Verb is "EVAL" or "EVAL_RO" && command.Arguments.Count > 3
            && System.Text.Encoding.Latin1.GetString(command.Arguments[1]) is Caller or ProtectedCaller
            && int.TryParse(command.Arguments[2], CultureInfo.InvariantCulture, out var keys)
            && keys >= 0 && keys < command.Arguments.Count - 3
            ? new RespCommand([.. command.Arguments.Skip(3 + keys)])
            : null;
}
