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
    public void Holds_its_limit_while_scripts_do_not_compile_for_a_long_word()
        => AssertHolds(4, "return " + new string('n', 8_000_000) + " 1");

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
