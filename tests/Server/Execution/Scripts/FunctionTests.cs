using System.Text;
using NUnit.Framework;
using Strata.Server.Rdb;
using Strata.Server.Scripting;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Execution.Scripts;

/// <summary>Functions among other commands: who finds them, what becomes of them, and of their memory.</summary>
[TestFixture]
internal sealed class FunctionTests
{
    private const string One = "#!lua name=one\nredis.register_function('f', function(keys, args) return 1 end)";
    private const string Two = "#!lua name=two\nredis.register_function('g', function(keys, args) return 2 end)";

    private TurnServer _server = null!;
    private TurnClient _client = null!;
    private TurnClient _other = null!; // Of the other worker.

    [SetUp]
    public void Start()
    {
        _server = new TurnServer(workers: 2);
        _client = _server.Connect();
        _other = _server.Connect();
    }

    [TearDown]
    public void Stop() => _server.Dispose();

    [Test]
    public void A_library_is_everybodys_at_once()
    {
        Assert.That(Call(_client, "FUNCTION", "LOAD", One), Is.EqualTo("$one"));
        Assert.That(Call(_other, "FCALL", "F", "0"), Is.EqualTo(":1"));
        Assert.That(Call(_client, "FUNCTION", "LOAD", One), Is.EqualTo("-ERR Library 'one' already exists"));
        var changed = One.Replace("return 1", "return keys[1] .. args[1]", StringComparison.Ordinal);
        Assert.That(Call(_other, "FUNCTION", "LOAD", "replace", changed), Is.EqualTo("$one"));
        Assert.That(Call(_client, "FCALL", "f", "1", "k", "a"), Is.EqualTo("$ka"));
        Assert.That(Call(_other, "FUNCTION", "DELETE", "one"), Is.EqualTo("+OK"));
        Assert.That(Call(_client, "FCALL", "f", "0"), Is.EqualTo("-ERR Function not found"));
    }

    [Test]
    public void A_library_that_cannot_be_loaded_leaves_what_was_there()
    {
        Call(_client, "FUNCTION", "LOAD", One);
        Call(_client, "FUNCTION", "LOAD", Two);
        var clash = One.Replace("'f'", "'G'", StringComparison.Ordinal);
        Assert.That(Call(_client, "FUNCTION", "LOAD", "REPLACE", clash), Is.EqualTo("-ERR Function G already exists"));
        Assert.That(Call(_client, "FUNCTION", "LOAD", "REPLACE", "#!lua name=one\nreturn 1"),
            Is.EqualTo("-ERR No functions registered"));
        Assert.That(Call(_client, "FUNCTION", "LOAD", "REPLACE", One + " x()"),
            Does.StartWith("-ERR Error registering functions: ERR user_function:2: Script attempted to access"));
        Assert.That(Call(_client, "FCALL", "f", "0"), Is.EqualTo(":1"));
        Assert.That(Call(_other, "FCALL", "f", "0"), Is.EqualTo(":1"));
        Assert.That(Call(_other, "FCALL", "g", "0"), Is.EqualTo(":2"));
    }

    [Test]
    public void What_is_dumped_can_be_restored_whole_or_not_at_all()
    {
        Call(_client, "FUNCTION", "LOAD", One);
        Call(_client, "FUNCTION", "LOAD", Two);
        var payload = Call(_client, "FUNCTION", "DUMP")[1..];
        Assert.That(Call(_client, "FUNCTION", "RESTORE", payload), Is.EqualTo("-ERR Library one already exists"));
        Assert.That(Call(_client, "FUNCTION", "RESTORE", payload, "REPLACE"), Is.EqualTo("+OK"));
        Assert.That(Call(_client, "FUNCTION", "FLUSH"), Is.EqualTo("+OK"));
        Assert.That(Call(_other, "FUNCTION", "RESTORE", payload), Is.EqualTo("+OK"));
        Assert.That(Call(_client, "FCALL", "g", "0"), Is.EqualTo(":2"));

        var broken = PayloadOf("#!lua name=three\nredis.register_function('h', function() end)", Two + " x()");
        Assert.That(Call(_client, "FUNCTION", "RESTORE", broken, "FLUSH"),
            Does.StartWith("-ERR Error registering functions:"));
        Assert.That(Libraries, Is.EqualTo(new[] { "one", "two" }));
        Assert.That(Call(_client, "FUNCTION", "RESTORE", PayloadOf(), "FLUSH"), Is.EqualTo("+OK"));
        Assert.That(Libraries, Is.Empty);
    }

    [Test]
    public void A_payload_that_was_changed_is_refused()
    {
        var payload = PayloadOf(One);
        for (var i = 0; i < payload.Length; i++)
        {
            var changed = new StringBuilder(payload);
            changed[i] ^= '\x10';
            Assert.That(Call(_client, "FUNCTION", "RESTORE", changed.ToString()),
                Is.EqualTo("-ERR DUMP payload version or checksum are wrong"));
        }
    }

    [TestCase(246, "Pre-GA function format not supported")]
    [TestCase(0, "given type is not a function")]
    [TestCase(RdbFormat.Function, "Failed loading library payload")]
    public void A_payload_of_something_else_is_refused(byte kind, string problem)
    {
        var crc = default(Crc64);
        byte[] content = [kind, 5, (byte)'a'];
        crc.Add(content);
        var payload = Encoding.Latin1.GetString([.. content, .. DumpFooter.Make(RdbFormat.VersionOfFunctions, crc)]);
        Assert.That(Call(_client, "FUNCTION", "RESTORE", payload), Is.EqualTo("-ERR " + problem));
    }

    [Test]
    public void Flags_and_descriptions_are_kept()
    {
        const string Library = "#!lua name=lib\nredis.register_function{function_name='f', description='what it does', "
            + "callback=function(keys) return redis.call('SET', keys[1], 'v') end, flags={'no-writes', 'allow-oom'}}";
        Call(_client, "FUNCTION", "LOAD", Library);
        Assert.That(Call(_other, "FUNCTION", "LIST", "WITHCODE", "LIBRARYNAME", "L*"), Is.EqualTo(
            "[[$library_name $lib $engine $LUA $functions [[$name $f $description $what it does "
            + "$flags [+no-writes +allow-oom]]] $library_code $" + Library + "]]"));
        Assert.That(Call(_client, "FCALL", "f", "1", "k"),
            Is.EqualTo("-ERR Write commands are not allowed from read-only scripts. script: f, on @user_function:2."));
        Call(_client, "FUNCTION", "LOAD", Two);
        Assert.That(Call(_client, "FCALL_RO", "g", "0"),
            Is.EqualTo("-ERR Can not execute a script with write flag using *_ro command."));
    }

    [Test]
    public void Keys_are_not_functions_and_functions_not_keys()
    {
        Call(_client, "FUNCTION", "LOAD", One);
        _client.Expect(["FLUSHALL", "DBSIZE", "FCALL f 0"], "+OK", ":0", ":1");
        _client.Expect(["MULTI", "FCALL f 0", "FUNCTION STATS", "EXEC"], "+OK", "+QUEUED", "+QUEUED",
            "[:1 [$running_script nil $engines [$LUA [$libraries_count :1 $functions_count :1]]]]");
    }

    [TestCase(0, ScriptReach.Declared)]
    [TestCase(1, ScriptReach.Others)]
    public void What_keys_it_uses_is_learned(int shard, ScriptReach reach)
    {
        var (declared, used) = (_server.KeyOf(0), _server.KeyOf(shard));
        var library = "#!lua name=l\nredis.register_function('f', function() "
            + $"return redis.call('INCR', '{used}') end)";
        Call(_client, "FUNCTION", "LOAD", library);
        Assert.That(Call(_client, "FCALL", "f", "1", declared), Is.EqualTo(":1"));
        Assert.That(Call(_other, "FCALL", "f", "1", declared), Is.EqualTo(":2"));
        Assert.That(_server.Server.Services.Scripts.Functions.Current.TryFind("f", out _, out var function), Is.True);
        Assert.That(function!.Reach, Is.EqualTo(reach));
    }

    [Test]
    public void What_a_library_took_comes_back()
    {
        var budget = _server.Server.Context.Shards.Budget;
        Call(_client, "FCALL", "f", "0");
        var before = budget.UsedBytes;
        const int Length = 200_000;
        for (var i = 0; i < 10; i++)
        {
            var text = new string((char)('a' + i), Length); // Of equal ones a state has only one.
            var library = $"#!lua name=l{i}\nredis.register_function('f{i}', function() return '{text}' end)";
            Call(_client, "FUNCTION", "LOAD", library);
            Assert.That(Call(_other, "FCALL", $"f{i}", "0"), Has.Length.EqualTo(Length + 1));
        }

        Assert.That(budget.UsedBytes - before, Is.GreaterThan(10 * 3 * Length));
        Call(_client, "FUNCTION", "FLUSH");
        Call(_client, "PING");
        Assert.That(_server.Server.Workers.Sum(worker => worker.Functions.StateBytes), Is.Zero);
        Assert.That(budget.UsedBytes - before, Is.LessThan(3_000_000)); // Buffers of replies.
    }

    [Test]
    public void A_library_that_memory_is_not_enough_for_is_refused()
    {
        var budget = _server.Server.Context.Shards.Budget;
        budget.LimitBytes = budget.UsedBytes + (1 << 20);
        var bomb = "#!lua name=bomb\nlocal t = {} for i = 1, 1e8 do t[i] = ('x'):rep(1000) .. i end";
        Assert.That(Call(_client, "FUNCTION", "LOAD", bomb), Does.StartWith("-OOM"));
        Assert.That(Call(_client, "FUNCTION", "LOAD", One), Is.EqualTo("$one"));
        Assert.That(Libraries, Is.EqualTo(new[] { "one" }));
    }

    private string[] Libraries
        => [.. _server.Server.Services.Scripts.Functions.Current.Libraries.Select(library => library.Name)];

    private static string PayloadOf(params string[] libraries)
    {
        var content = libraries.SelectMany(library => (byte[])
        [
            RdbFormat.Function, .. RdbFormat.StringHeader(library.Length), .. Encoding.Latin1.GetBytes(library),
        ]).ToArray();
        var crc = default(Crc64);
        crc.Add(content);
        return Encoding.Latin1.GetString([.. content, .. DumpFooter.Make(RdbFormat.VersionOfFunctions, crc)]);
    }

    private string Call(TurnClient client, params string[] command)
    {
        client.SendRaw(Encoding.Latin1.GetString(RespCommand.Of(command).Encode()));
        _server.Settle();
        return client.Replies().Single();
    }
}
