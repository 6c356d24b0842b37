using NUnit.Framework;
using Strata.Server;
using Strata.Server.Execution;
using Strata.Server.Scripting;
using Strata.Storage;
using Strata.Tests.Simulation;

namespace Strata.Tests.Server.Execution.Scripts;

/// <summary>Scripts among other commands: what they find, what they may do, and what others see of it.</summary>
[TestFixture]
internal sealed class ScriptTests
{
    private const string Sha = "e0e1f9fabfc9d4800c877a703b823ac0578ff8db"; // Of "return 1".

    private TurnServer _server = null!;
    private TurnClient _client = null!;

    [SetUp]
    public void Start()
    {
        _server = new TurnServer(workers: 2);
        _client = _server.Connect();
    }

    [TearDown]
    public void Stop() => _server.Dispose();

    [Test]
    public void A_script_is_found_by_its_hash_once_it_was_seen()
    {
        _client.Expect([$"EVALSHA {Sha} 0"], "-NOSCRIPT No matching script. Please use EVAL.");
        Eval("return 1", ":1");
        _client.Expect([$"EVALSHA {Sha} 0", $"EVALSHA {Sha.ToUpperInvariant()} 0"], ":1", ":1");
        _client.Expect([$"SCRIPT EXISTS {Sha} x"], "[:1 :0]");
        _client.Expect(["SCRIPT FLUSH", $"SCRIPT EXISTS {Sha}"], "+OK", "[:0]");
        _client.Expect([$"EVALSHA {Sha} 0"], "-NOSCRIPT No matching script. Please use EVAL.");
    }

    [Test]
    public void It_reads_and_writes_keys_it_has_not_declared_on_any_shard()
    {
        for (var shard = 0; shard < 4; shard++)
        {
            var key = _server.KeyOf(shard);
            Eval($"redis.call('SET', '{key}', 'v{shard}') return redis.call('GET', '{key}')", $"$v{shard}");
        }
    }

    [Test]
    public void What_it_may_not_do_is_an_error()
    {
        Assert.That(Text("return redis.call('MULTI')"), Does.StartWith("-ERR This Redis command is not allowed"));
        Assert.That(Text("return redis.call('EVAL', 'return 1', 0)"), Does.StartWith("-ERR This Redis command is not"));
        Assert.That(Run("EVAL_RO", "return redis.call('SET', 'a', '1')"),
            Does.StartWith("-ERR Write commands are not allowed from read-only scripts."));
        Assert.That(Text("#!lua flags=no-writes\nreturn redis.call('SET', 'a', '1')"),
            Does.StartWith("-ERR Write commands are not allowed from read-only scripts."));
        Assert.That(Text("#!lua flags=nosuch\nreturn 1"),
            Is.EqualTo("-ERR Unexpected flag in script shebang: nosuch"));
        Assert.That(Run("EVAL_RO", "#!lua\nreturn 1"),
            Is.EqualTo("-ERR Can not execute a script with write flag using *_ro command."));
    }

    [Test]
    public void The_database_that_it_selects_is_its_own()
    {
        Eval("redis.call('SELECT', 3) redis.call('SET', 'k', 'of 3') return redis.call('DBSIZE')", ":1");
        _client.Expect(["EXISTS k", "SELECT 3", "EXISTS k"], ":0", "+OK", ":1");
    }

    [Test]
    public void It_serves_those_who_wait()
    {
        var waiting = _server.Connect();
        waiting.Send("BLPOP list 0");
        _server.Settle();
        Eval("redis.call('RPUSH', 'list', 'a', 'b') return redis.call('LRANGE', 'list', 0, -1)", "[$a $b]");
        Assert.That(waiting.Replies(), Is.EqualTo(new[] { "[$list $a]" }));
    }

    [Test]
    public void What_would_wait_does_not_within_it([Values(
        "'BLPOP', 'k', 0", "'BRPOP', 'k', 0", "'BLMOVE', 'k', 'l', 'LEFT', 'LEFT', 0", "'BRPOPLPUSH', 'k', 'l', 0",
        "'BLMPOP', 0, 1, 'k', 'LEFT'", "'BZPOPMIN', 'k', 0", "'BZPOPMAX', 'k', 0", "'BZMPOP', 0, 1, 'k', 'MIN'")]
        string command)
    {
        Eval($"return redis.call({command}) == false", ":1");
        Eval(command.Contains('Z', StringComparison.Ordinal)
            ? "return redis.call('ZADD', 'k', 1, 'a')" : "return redis.call('RPUSH', 'k', 'a')", ":1");
        Eval($"return redis.call({command}) == false", "nil");
        _client.Expect(["EXISTS k"], ":0");
    }

    [Test]
    public void In_a_transaction_it_is_one_of_the_commands()
    {
        _client.Expect(
            ["MULTI", "SET k 1"], "+OK", "+QUEUED");
        Eval("return redis.call('INCR', 'k')", "+QUEUED");
        _client.Expect(["EXEC"], "[+OK :2]");
    }

    [Test]
    public void While_memory_is_full_what_needs_more_is_refused_unless_it_has_begun_to_write()
    {
        var budget = _server.Server.Context.Shards.Budget;
        _client.Expect(["SET k v"], "+OK");
        budget.LimitBytes = 1;
        Assert.That(Text("return redis.call('SET', 'k', 'w')"), Does.StartWith("-OOM command not allowed"));
        Eval("redis.call('DEL', 'k') redis.call('SET', 'k', 'w') return redis.call('GET', 'k')", "$w");
        Assert.That(Text("#!lua\nreturn 1"), Does.StartWith("-OOM command not allowed"));
        Assert.That(Text("#!lua\nreturn 1"), Does.StartWith("-OOM command not allowed"), "once more");
        Assert.That(Run("EVAL", "#!lua\nreturn 1", keys: 7), Does.StartWith("-OOM command not allowed"), "first");
        Eval("#!lua flags=allow-oom\nredis.call('SET', 'k', 'x') return 1", ":1");
    }

    [Test]
    public void When_memory_is_at_its_end_what_needs_more_is_refused_in_any_case()
    {
        var budget = _server.Server.Context.Shards.Budget;
        budget.LimitBytes = budget.UsedBytes + (1 << 20);
        Assert.That(
            Text("for i = 1, 1000 do redis.call('SET', 'k' .. i, string.rep('v', 100000)) end"),
            Does.StartWith("-OOM command not allowed"));
        Assert.That(budget.UsedBytes, Is.LessThan(2 * budget.LimitBytes + Limits.EndBytes));
        Eval("redis.call('FLUSHALL') return redis.call('SET', 'k', 'v').ok", "$OK");
    }

    [Test]
    public void Scripts_that_EVAL_brought_are_forgotten_when_there_are_many()
    {
        _client.Expect([$"SCRIPT LOAD x"], "-ERR Error compiling script (new function): user_script:1: '=' expected "
            + "near '<eof>'");
        Load("return 'loaded'");
        for (var i = 0; i < ServerLimits.MaxEvalScripts + 10; i++)
        {
            _server.Clock.AdvanceMs(1);
            Eval($"return {i}", $":{i}");
        }

        Assert.That(_server.Server.Services.Scripts.Cache.Size.Count, Is.EqualTo(ServerLimits.MaxEvalScripts + 1));
        Assert.That(_server.Server.Services.Scripts.Cache.Evicted, Is.EqualTo(10));
    }

    [Test]
    public void A_script_that_was_forgotten_is_known_again_when_EVAL_brings_it_again()
    {
        var cache = _server.Server.Services.Scripts.Cache;
        Eval("return 'first'", "$first");
        for (var i = 0; i < ServerLimits.MaxEvalScripts; i++)
        {
            _server.Clock.AdvanceMs(1);
            Eval($"return {i}", $":{i}");
        }

        var sha = ScriptId.Of("return 'first'"u8).ToString();
        _client.Expect(
            [$"SCRIPT EXISTS {sha}", $"EVALSHA {sha} 0"], "[:0]", "-NOSCRIPT No matching script. Please use EVAL.");
        _server.Clock.AdvanceMs(1);
        Eval("return 'first'", "$first");
        _client.Expect([$"EVALSHA {sha} 0", $"SCRIPT EXISTS {sha}"], "$first", "[:1]");
        Assert.That((cache.Size.Count, cache.Evicted), Is.EqualTo((ServerLimits.MaxEvalScripts, 2L)));

        _client.Expect(["SCRIPT FLUSH", $"EVALSHA {sha} 0"], "+OK", "-NOSCRIPT No matching script. Please use EVAL.");
        Eval("return 'first'", "$first");
        Assert.That((cache.Size.Count, cache.Evicted), Is.EqualTo((1, 2L)));
    }

    /// <summary>Also of scripts that the server has forgotten.</summary>
    [Test]
    public void Bodies_that_a_worker_keeps_are_charged_and_bounded()
    {
        var worker = (ExecutionWorker)_server.Server.Services.Workers[0];
        for (var i = 0; i < 200; i++)
        {
            Eval($"return {i} --{new string('x', 100_000)}", $":{i}");
            Assert.That(
                worker.Scripts.ChargedBytes - worker.Scripts.StateBytes,
                Is.LessThan(ServerLimits.MaxKnownScriptBytes + 200_000));
        }

        Assert.That(
            _server.Server.Context.Shards.Budget.UsedBytes,
            Is.EqualTo(MemoryAccount.OfShards(_server.Server) + MemoryAccount.OfPools(_server.Server)));
    }

    /// <summary>That of a worker, when it has executed what uses each of the libraries.</summary>
    [Test]
    public void A_state_takes_less_than_300_KB()
    {
        var worker = (ExecutionWorker)_server.Server.Services.Workers[0];
        Assert.That(worker.Scripts.StateBytes, Is.Zero, "it is opened when somebody needs it");
        Eval("return cjson.encode(cjson.decode('[1]'))", "$[1]");
        Eval("return cmsgpack.unpack(cmsgpack.pack(struct.unpack('>h', struct.pack('>h', 7))))", ":7");
        Eval("return bit.band(255, tonumber(string.rep('1', 2))) + redis.call('DBSIZE')", ":11");
        Assert.That(worker.Scripts.StateBytes, Is.Positive.And.LessThan(300_000));
    }

    private void Eval(string script, string reply) => Assert.That(Text(script), Is.EqualTo(reply));

    private string Text(string script) => Run("EVAL", script);

    private string Run(string verb, string script, int keys = 0)
    {
        _client.SendRaw($"*3\r\n${verb.Length}\r\n{verb}\r\n${script.Length}\r\n{script}\r\n$1\r\n{keys}\r\n");
        _server.Settle();
        return _client.Replies().Single();
    }

    private void Load(string script)
    {
        _client.SendRaw($"*3\r\n$6\r\nSCRIPT\r\n$4\r\nLOAD\r\n${script.Length}\r\n{script}\r\n");
        _server.Settle();
        Assert.That(_client.Replies().Single(), Has.Length.EqualTo(41));
    }
}
