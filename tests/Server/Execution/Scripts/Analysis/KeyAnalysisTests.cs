using System.Text;
using NUnit.Framework;
using Strata.Server.Commands;
using Strata.Server.Execution.Scripts.Analysis;
using Strata.Server.Resp;
using Strata.Server.Scripting;
using Strata.Storage.Memory;

namespace Strata.Tests.Server.Execution.Scripts.Analysis;

/// <summary>What can be told from a script's code of the keys it uses.</summary>
[TestFixture]
internal sealed class KeyAnalysisTests
{
    private ScriptEngine _engine = null!;

    [SetUp]
    public void Open() => _engine = new ScriptEngine(
        new NoHost(), new MemoryBudget { LimitBytes = 1L << 30 }, ScriptPurpose.Scripts);

    [TearDown]
    public void Close() => _engine.Dispose();

    [TestCase("return 1")]
    [TestCase("return redis.call('GET', KEYS[1])")]
    [TestCase("return redis.call('get', KEYS[ARGV[1]])")]
    [TestCase("local k = KEYS[1] local v = redis.pcall('INCRBY', k, ARGV[1]) return {v, k}")]
    [TestCase("local call, ttl = redis.call, tonumber(ARGV[2]) local n = call('INCR', KEYS[1]) "
        + "if n == 1 then call('PEXPIRE', KEYS[1], ttl) end return {n, call('PTTL', KEYS[1])}")]
    [TestCase("if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end")]
    [TestCase("for i = 1, #KEYS do redis.call('DEL', KEYS[i]) end return #KEYS")]
    [TestCase("for i, k in ipairs(KEYS) do redis.call('SET', k, ARGV[i]) end")]
    [TestCase("for _, k in pairs(KEYS) do if redis.call('EXISTS', k) == 1 then return k end end")]
    [TestCase("return redis.call('MGET', unpack(KEYS))")]
    [TestCase("return redis.call('SADD', KEYS[1], unpack(ARGV))")]
    [TestCase("return redis.call('ZUNIONSTORE', KEYS[1], 2, KEYS[2], KEYS[3])")]
    [TestCase("return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, 10)")]
    [TestCase("local t = {} for i = 1, 10 do t[#t + 1] = redis.call('LPOP', KEYS[1]) end return cjson.encode(t)")]
    [TestCase("return redis.call('TIME')")]
    [TestCase("redis.log(redis.LOG_NOTICE, 'x') return redis.status_reply(redis.sha1hex(KEYS[1]))")]
    [TestCase("local ok = pcall(function() return redis.call('GET', KEYS[1]) end) return ok")]
    [TestCase("local function f(n) return n * 2 end return f(redis.call('STRLEN', KEYS[1]))")]
    [TestCase("local s = 0 repeat local v = redis.call('LPOP', KEYS[1]) s = s + #(v or '') until not v return s")]
    [TestCase("return redis.call('OBJECT', 'ENCODING', KEYS[1])")]
    [TestCase("return KEYS")]
    [TestCase("return redis.call('NOSUCH', 'x')")]
    [TestCase("local t = {1, 2, 3, KEYS[1], ARGV[1]} return redis.call('RPUSH', KEYS[1], unpack(t))")]
    [TestCase("while true do if redis.call('LLEN', KEYS[1]) == 0 then break end redis.call('RPOP', KEYS[1]) end")]
    public void Shows_that_it_keeps_to_its_keys(string body) => Assert.That(IsSure(body));

    [TestCase("return redis.call('GET', ARGV[1])")]
    [TestCase("return redis.call('GET', 'x')")]
    [TestCase("return redis.call('GET', KEYS[1] .. ':x')")]
    [TestCase("return redis.call('GET', KEYS[1] or 'x')")]
    [TestCase("return redis.call('GET', ({KEYS[1]})[1])")]
    [TestCase("return redis.call(ARGV[1], KEYS[1])")]
    [TestCase("local c = 'GET' if ARGV[1] then c = 'DEL' end return redis.call(c, KEYS[1])")]
    [TestCase("KEYS[1] = 'x' return redis.call('GET', KEYS[1])")]
    [TestCase("local k = KEYS k[1] = 'x' return redis.call('GET', KEYS[1])")]
    [TestCase("table.insert(KEYS, 'x') return redis.call('GET', KEYS[1])")]
    [TestCase("rawset(KEYS, 1, 'x') return redis.call('GET', KEYS[1])")]
    [TestCase("setmetatable(KEYS, {}) return redis.call('GET', KEYS[2])")]
    [TestCase("local t = {KEYS} t[1][1] = 'x' return redis.call('GET', KEYS[1])")]
    [TestCase("local _, s = ipairs(KEYS) s[1] = 'x' return redis.call('GET', KEYS[1])")]
    [TestCase("KEYS = {'x'} return redis.call('GET', KEYS[1])")]
    [TestCase("return pcall(redis.call, 'GET', 'x')")]
    [TestCase("local f = redis.call local t = {f} return t[1]('GET', 'x')")]
    [TestCase("local r = redis local function f() return r end return f().call('GET', 'x')")]
    [TestCase("local f local function g() return f('GET', 'x') end f = redis.call return g()")]
    [TestCase("local function f() return redis end return f().call('GET', 'x')")]
    [TestCase("local function f(c) return c('GET', 'x') end return f(redis.call)")]
    [TestCase("local k = KEYS[1] local function f() k = 'x' end f() return redis.call('GET', k)")]
    [TestCase("local function f() return redis.call('GET', 'x') end return f()")]
    [TestCase("return loadstring(\"return redis.call('GET', 'x')\")()")]
    [TestCase("return _G.redis.call('GET', 'x')")]
    [TestCase("return getfenv().redis.call('GET', 'x')")]
    [TestCase("return redis['ca' .. 'll']('GET', 'x')")]
    [TestCase("for _, f in pairs(redis) do f('GET', 'x') end")]
    [TestCase("return redis.call('MGET', KEYS[1], unpack(ARGV))")]
    [TestCase("return redis.call('MSET', unpack(KEYS))")]
    [TestCase("return redis.call('ZUNIONSTORE', KEYS[1], ARGV[1], KEYS[2], ARGV[2])")]
    [TestCase("return redis.call('ZUNIONSTORE', KEYS[1], 2, KEYS[2], 'x')")]
    [TestCase("return redis.call('RENAME', KEYS[1], 'x')")]
    [TestCase("return redis.call('SORT', KEYS[1], 'STORE', 'x')")]
    [TestCase("return redis.call('SORT', KEYS[1], 'BY', 'w*')")]
    [TestCase("redis.call('SELECT', 1) return redis.call('GET', KEYS[1])")]
    [TestCase("return redis.call('FLUSHALL')")]
    [TestCase("return redis.call('KEYS', '*')")]
    [TestCase("return redis.call('SCAN', 0)")]
    [TestCase("return redis.call(unpack(ARGV))")]
    [TestCase("return redis.call(unpack({'GET', 'x'}))")]
    [TestCase("return redis.call('OBJECT', 'ENCODING', ARGV[1])")]
    public void Is_not_sure(string body) => Assert.That(IsSure(body), Is.False);

    [Test]
    public void Gives_up_on_what_is_long()
    {
        var body = string.Concat(Enumerable.Repeat("redis.call('GET', KEYS[1]) ", 2_000));
        Assert.That(IsSure(body), Is.False);
    }

    private bool IsSure(string body)
    {
        var bytes = Encoding.Latin1.GetBytes(body);
        var script = new Script(ScriptId.Of(bytes), bytes, 0, ScriptFlags.Undeclared);
        Assert.That(_engine.Compile(script, out var function), Is.Null);
        return KeyAnalysis.KeepsToItsKeys(_engine.ReadCode(function)!, CommandList.Table);
    }

    private sealed class NoHost : IScriptHost
    {
        public bool TryCall(scoped in Request request, out ReadOnlySpan<byte> reply)
            => throw new NotSupportedException();

        public void CheckAccess(scoped in Request request, out ReadOnlySpan<byte> reply)
            => throw new NotSupportedException();

        public void Log(int level, ReadOnlySpan<byte> text) => throw new NotSupportedException();

        public void SetProtocol(int protocol) => throw new NotSupportedException();

        public bool MayGoOn() => true;
    }
}
