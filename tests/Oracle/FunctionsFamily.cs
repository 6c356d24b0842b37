using System.Text;
using Strata.Server.Rdb;
using Strata.Tests.Support;

namespace Strata.Tests.Oracle;

/// <summary>Libraries of functions: random ones are loaded, replaced, listed, dumped, restored and deleted, and their
/// functions called, of which one calls commands of the other families.</summary>
internal sealed class FunctionsFamily : ICommandFamily
{
    /// <summary>The function that executes its arguments as a command; whatever library has it, it does so.</summary>
    private const string Caller = "caller";

    private static readonly string[] s_libraries = ["lib", "lib2", "Lib", "x_1", "9"];
    private static readonly string[] s_wrongNames = ["", "a b", "a-b", "\xe9", "lib\n"];

    // No two of one library may differ in case alone: redis-server 7.0 ends when such a library is deleted.
    private static readonly string[] s_functions = ["f", "g", "h", "fn_1", "7"];

    // Not error({}): redis-server 7.0 ends of it. Nor getfenv and setfenv, which distributions have taken away.
    private static readonly string[] s_bodies =
    [
        "return keys", "return args", "return {#keys, #args, keys[1], args[1]}", "return keys[1] .. args[1]",
        "return redis.call('GET', keys[1])", "return redis.call('SET', keys[1], args[1])",
        "return redis.pcall('INCR', keys[1])", "redis.call('APPEND', keys[1], 'x') error('after writing')",
        "n = (n or 0) + 1 return n", "count = count + 1 return count", "return KEYS", "return ARGV", "x = 1",
        "return nosuchglobal", "error({err = 'CODE text'})", "error('plain')", "error()",
        "return redis.error_reply('x')", "return {err = 'MY err'}", "return {ok = 'fine'}", "return 3.99",
        "return true", "return false", "return nil", "return", "redis.setresp(3) return {map = {a = args[1]}}",

        // Sorted: in which order fields come is each server's own, and that of Lua's table follows it.
        "redis.setresp(3) local t = {} for k, v in pairs(redis.call('HGETALL', keys[1]).map) do "
            + "t[#t + 1] = k .. '=' .. v end table.sort(t) return t",
        "return type(redis.register_function)", "redis.register_function('late', function() end)",
        "return register('late', function() end)", "return captured.call('PING')",
        "return captured.REDIS_VERSION ~= nil",
        "return redis.call('EVAL', 'return 1', 0)", "return redis.call('FCALL', 'f', 0)",
        "return redis.call('FUNCTION', 'LIST')", "return redis.call('NOSUCH')", "return redis.call('GET')",
        "return type(redis.breakpoint) .. type(redis.replicate_commands)", "return cjson.encode(args)",
        "return pcall(error, 'caught')", "rawset(_G, 'x', 1)", "return getmetatable(_G).__index == nil",
        "return redis.call('PUBLISH', 'c', 'm')", "local t = nil return t.x",
        "return redis.sha1hex('')", "return loadstring('return 7')()", "return tostring(tonumber(args[1]))",
        "return redis.setresp(args[1])", "\n\nerror('two lines down')", "return redis.log(9, 'x')",
    ];

    /// <summary>What stands in a library beside what registers functions.</summary>
    private static readonly string[] s_statements =
    [
        "", "", "", "", "", "local x = 1", "redis.log(redis.LOG_DEBUG, 'loaded')", "local v = redis.REDIS_VERSION",
        "local s = ('x'):rep(3)", "return 1", "x = 1", "redis.x = 1", "redis.call('PING')", "return redis.setresp",
        "local m = math", "pcall(error)", "syntax(", "error('x')", "redis.register_function()",
        "redis.register_function(1)", "redis.register_function('q', 1)", "redis.register_function({}, 1)",
        "redis.register_function('a b', function() end)", "redis.register_function('a', function() end, 1)",
        "redis.register_function{}", "redis.register_function{function_name = 'q'}",
        "redis.register_function{callback = function() end}", "redis.register_function{nosuch = 1}",
        "redis.register_function{[1] = 1}", "redis.register_function{flags = 1}", "redis.log('x')", "redis.log(7, 'x')",
        "redis.register_function{function_name = 'q', callback = function() end, flags = {'nosuch'}}",
        "redis.register_function{function_name = {}, callback = function() end}", "local t = nil t.x = 1",
    ];

    private static readonly string[] s_headers =
    [
        "#!lua", "#!lua ", "#!LUA name=lib", "#!lua name=lib name=lib", "#!lua NAME=lib", "#!lua name=lib x=y",
        "#!js name=lib", "#!lua name='lib'", "#!lua \"name=lib\"", "#!lua name=\"lib", "#! name=lib", "lua name=lib",
        "#!lua name=", "#!lua\tname=lib", "",
    ];

    public string Name => "functions";

    public OracleStep Next(CommandPool pool) => OracleStep.Single(Random(pool));

    /// <summary>Of a call of the function that calls a command, the command; else null.</summary>
    public static RespCommand? CalledBy(RespCommand command)
        => command.Verb is "FCALL" or "FCALL_RO" && command.Arguments is [_, _, [(byte)'0'], _, ..]
            && Encoding.Latin1.GetString(command.Arguments[1]) == Caller
            ? new RespCommand([.. command.Arguments.Skip(3)])
            : null;

    /// <summary>The libraries of a payload, in the order of their texts; the payload itself where it is none.</summary>
    public static RespValue LibrariesOf(RespValue payload)
    {
        if (!DumpFooter.TryRemove(payload.Bytes, out var content))
        {
            return payload;
        }

        var reader = new RdbReader(content);
        var libraries = new List<string>();
        while (reader.TryReadByte(out var kind) && reader.TryReadString(int.MaxValue, out var code))
        {
            libraries.Add($"{kind} {Encoding.Latin1.GetString(code)}");
        }

        libraries.Sort(StringComparer.Ordinal);
        return RespValue.Array([.. libraries.Select(RespValue.Bulk)]);
    }

    private static string[] Random(CommandPool pool) => pool.Below(20) switch
    {
        < 5 => CommandNoise.Apply(pool, Load(pool)),
        < 11 => CommandNoise.Apply(pool, Call(pool)),
        < 14 => CallCommand(pool),
        < 16 => CommandNoise.Apply(pool, List(pool)),
        16 => CommandNoise.Apply(pool, ["FUNCTION", "DELETE", pool.Pick(s_libraries)]),
        17 => CommandNoise.Apply(pool, Restore(pool)),
        _ => CommandNoise.Apply(pool, Administration(pool)),
    };

    private static string[] Load(CommandPool pool)
        => ["FUNCTION", pool.MixedCase("LOAD"), .. pool.Chance(0.7) ? (string[])["REPLACE"] : [], Library(pool)];

    private static string Library(CommandPool pool)
    {
        var text = new StringBuilder();
        if (pool.Chance(0.1))
        {
            text.Append(pool.Pick(s_headers));
        }
        else
        {
            text.Append("#!lua name=").Append(pool.Pick(pool.Chance(0.95) ? s_libraries : s_wrongNames));
        }

        text.Append(pool.Chance(0.97) ? "\n" : "");
        if (pool.Chance(0.5))
        {
            text.Append("local captured, register, count = redis, redis.register_function, 0\n");
        }

        text.Append(pool.Pick(s_statements)).Append('\n');
        if (pool.Chance(0.4))
        {
            text.Append($"redis.register_function('{Caller}', ")
                .Append("function(keys, args) return redis.call(unpack(args)) end)\n");
        }

        foreach (var name in pool.Several(4, () => pool.Pick(s_functions)).Distinct())
        {
            text.Append(Registration(pool, name)).Append('\n');
        }

        return text.ToString();
    }

    private static string Registration(CommandPool pool, string name)
    {
        name = pool.MixedCase(name);
        var callback = $"function(keys, args) {pool.Pick(s_bodies)} end";
        if (pool.Chance(0.5))
        {
            return $"redis.register_function('{name}', {callback})";
        }

        var fields = new List<string> { $"function_name = '{name}'", $"callback = {callback}" };
        if (pool.Chance(0.5))
        {
            var flags = pool.Several(3, () => pool.Pick(
                "'no-writes'", "'allow-oom'", "'ALLOW-STALE'", "'no-cluster'", "'allow-cross-slot-keys'"));
            fields.Add($"flags = {{{string.Join(", ", flags)}}}");
        }

        if (pool.Chance(0.5))
        {
            fields.Add("description = " + pool.Pick("'what it does'", "''", "7", "'a\\0b'"));
        }

        return $"redis.register_function{{{string.Join(", ", fields)}}}";
    }

    private static string[] Call(CommandPool pool)
    {
        string[] keys = pool.Chance(0.6) ? pool.Several(2, pool.Key) : [];
        string[] arguments = pool.Chance(0.6) ? pool.Several(2, pool.Value) : [];
        var count = pool.Chance(0.95) ? CommandPool.Text(keys.Length) : pool.Integer();
        var name = pool.Chance(0.95) ? pool.MixedCase(pool.Pick(s_functions)) : pool.Pick("", "nosuch", "f ", "\xe9");
        return [pool.MixedCase(pool.Chance(0.8) ? "FCALL" : "FCALL_RO"), name, count, .. keys, .. arguments];
    }

    private static string[] CallCommand(CommandPool pool)
    {
        string[] command = pool.Below(5) switch
        {
            0 => ListsFamily.Random(pool),
            1 => HashesFamily.Random(pool),
            2 => SetsFamily.Random(pool),
            3 => SortedSetsFamily.Random(pool),
            _ => StringsFamily.Random(pool),
        };
        return [pool.Chance(0.8) ? "FCALL" : "FCALL_RO", Caller, "0", .. command];
    }

    private static string[] List(CommandPool pool)
    {
        var words = new List<string> { "FUNCTION", "LIST" };
        if (pool.Chance(0.5))
        {
            words.AddRange(["LIBRARYNAME", pool.Pick("*", "lib", "LIB*", "l?b", "[lx]*", "nosuch", "")]);
        }

        if (pool.Chance(0.5))
        {
            words.Insert(pool.Chance(0.5) ? words.Count : 2, pool.MixedCase("WITHCODE"));
        }

        return [.. words];
    }

    private static string[] Restore(CommandPool pool)
    {
        string[] policy = pool.Chance(0.7) ? [pool.Pick("FLUSH", "APPEND", "REPLACE", "replace", "nosuch")] : [];
        return ["FUNCTION", "RESTORE", Payload(pool), .. policy];
    }

    private static string Payload(CommandPool pool)
    {
        var content = new List<byte>();
        foreach (var library in pool.Chance(0.1) ? [] : pool.Several(2, () => Library(pool)))
        {
            var code = Encoding.Latin1.GetBytes(library);
            // Not the release candidates' form, which redis-server 7.0 still reads.
            var other = pool.Pick<byte>(0, 250);
            content.Add(pool.Chance(0.95) ? RdbFormat.Function : other);
            content.AddRange(RdbFormat.StringHeader(code.Length));
            content.AddRange(code);
        }

        var crc = default(Crc64);
        crc.Add(content.ToArray());
        byte[] payload = [.. content, .. DumpFooter.Make(pool.Chance(0.9) ? pool.Pick(1, 9, 10) : 99, crc)];
        if (pool.Chance(0.1))
        {
            payload[pool.Below(payload.Length)] ^= 1;
        }

        return Encoding.Latin1.GetString(payload);
    }

    private static string[] Administration(CommandPool pool) => pool.Below(12) switch
    {
        < 2 => ["FUNCTION", "FLUSH", .. pool.Pick<string[]>([], ["ASYNC"], ["sync"], ["now"])],
        < 6 => ["FUNCTION", "STATS"],
        < 10 => ["FUNCTION", "DUMP"],
        10 => ["FUNCTION", pool.Pick("KILL", "HELP", "NOSUCH")],
        _ => ["SCRIPT", pool.Pick("KILL", "FLUSH")],
    };
}
