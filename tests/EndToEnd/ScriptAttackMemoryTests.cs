using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>Scripts that have the server hold as much as it takes from them: as <see cref="AttackMemoryTests"/>, its
/// memory stays within the limit, what may be held beyond, and what the runtime needs.</summary>
[TestFixture]
public sealed class ScriptAttackMemoryTests
{
    private const long LimitBytes = 64 << 20;
    private const long SlackBytes = (LimitBytes / 8) + (32 << 20);

    private ServerProcess _server = null!;
    private long _idleBytes;

    [SetUp]
    public void Start()
    {
        _server = StrataProcess.Start(["--maxmemory", "64mb", "--workers", "2"]);
        _idleBytes = _server.ResidentBytes();
    }

    [TearDown]
    public void Stop() => _server?.Dispose();

    [Test]
    public void Holds_its_limit_while_a_script_logs_long_texts()
        => AssertHolds(1, "local s = string.rep('y', 10000000) "
            + "for i = 1, 20 do redis.log(redis.LOG_WARNING, s) end return 'done'");

    [Test]
    public void Holds_its_limit_while_scripts_raise_long_texts()
        => AssertHolds(8, "error(ARGV[1])", new string('n', 12_000_000));

    [Test]
    public void Holds_its_limit_while_scripts_do_not_compile_for_a_long_word()
        => AssertHolds(4, "return " + new string('n', 8_000_000) + " 1");

    /// <summary>What FLUSHALL has given up is not free at once.</summary>
    [Test]
    public void Holds_its_limit_while_a_script_takes_memory_behind_flushall()
    {
        using (var client = _server.Connect())
        {
            var value = new string('v', 60_000);
            for (var i = 0; i < 1000; i++)
            {
                Assert.That(client.Call("SET", $"key:{i}", value).IsError, Is.False);
            }

            Assert.That(client.Call("FLUSHALL").IsError, Is.False);
        }

        AssertHolds(1, "local t = {} for i = 1, 5e6 do t[i] = 'abcdefgh' end return #t");
    }

    /// <summary>Their states would be full of garbage for as long as no other script is executed.</summary>
    [Test]
    public void Writes_are_not_refused_for_what_scripts_have_left()
    {
        AssertHolds(16, "return loadstring('return 1 --' .. ARGV[1])()", new string('n', 12_000_000));
        using var client = _server.Connect();
        Assert.That(client.Call("SET", "key", new string('v', 10_000_000)).Text, Is.EqualTo("OK"));
        Assert.That(client.Call("MEMORY", "PURGE").Text, Is.EqualTo("OK"));
    }

    private void AssertHolds(int clients, string script, params string[] arguments)
    {
        var peak = ResidentPeak.Of(_server, () =>
        {
            for (var i = 0; i < clients; i++)
            {
                using var client = _server.Connect();
                _ = client.Call(["EVAL", script, "0", .. arguments]);
            }
        });
        Assert.That((peak - _idleBytes) >> 20, Is.LessThan((LimitBytes + SlackBytes) >> 20), "MB");
    }
}
