using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Execution.Scripts;

/// <summary>A script that does not end by itself, and clients of another worker that end it.</summary>
[TestFixture]
internal sealed class SlowScriptTests
{
    private static readonly string[] s_endless =
    [
        "while true do end",
        "while true do pcall(function() while true do end end) end",
        "xpcall(function() while true do end end, function() while true do end end)",
        "coroutine.wrap(function() while true do end end)()",
        "return string.find(string.rep('a', 40), string.rep('a?', 40) .. string.rep('a', 40) .. 'b')",
        "while true do redis.call('PING') end",
        "while true do redis.pcall('NOSUCH') end",
    ];

    [TestCaseSource(nameof(s_endless))]
    public async Task Others_are_told_and_can_end_it(string script)
    {
        using var server = new ServerInProcess(device: null, "--workers", "2", "--busy-reply-threshold", "50");
        using var caller = server.Connect();
        using var other = server.Connect(); // Clients are dealt out to the workers in turn.
        var execution = Task.Run(() => caller.Call("EVAL", script, "0"));
        RespValue reply;
        do
        {
            Assert.That(execution.IsCompleted, Is.False);
            reply = other.Call("PING");
        }
        while (!reply.IsError);
        Assert.That(reply.Text, Does.StartWith("BUSY Redis is busy running a script."));
        Assert.That(other.Call("SCRIPT", "KILL").Text, Is.EqualTo("OK"));
        Assert.That((await execution).Text, Does.StartWith("ERR Script killed by user with SCRIPT KILL"));
        Assert.That(other.Call("PING").Text, Is.EqualTo("PONG"));
        Assert.That(other.Call("SCRIPT", "KILL").Text, Does.StartWith("NOTBUSY"));
        Assert.That(() => server.Server.Workers.All(worker => worker.MayRun), Is.True.After(10_000, 5));
    }

    [Test]
    public async Task All_of_several_are_ended()
    {
        const string Script = "for i = 1, ARGV[1] do end return redis.call('GET', KEYS[1])";
        using var server = new ServerInProcess(device: null, "--workers", "2", "--busy-reply-threshold", "200");
        using var first = server.Connect();
        using var second = server.Connect();
        for (var i = 0; i < 3; i++)
        {
            Assert.That(first.Call("EVAL", Script, "1", "a", "1").IsNull); // It is learned that it keeps to its keys.
        }

        var running = server.Server.Services.Scripts.Running;
        for (var areBoth = false; !areBoth;)
        {
            Task<RespValue>[] executions =
            [
                Task.Run(() => first.Call("EVAL", Script, "1", "a", "1e15")),
                Task.Run(() => second.Call("EVAL", Script, "1", "b", "1e15")),
            ];
            while (!areBoth && !executions.Any(execution => execution.IsCompleted))
            {
                await Task.Yield(); // One that finds the other slow already is told so, and begins anew.
                areBoth = running.All(script => script.IsSlow);
            }

            using var third = server.Connect();
            Assert.That(third.Call("SCRIPT", "KILL").Text, Is.EqualTo("OK"));
            var replies = await Task.WhenAll(executions);
            var killed = replies.Count(reply => reply.Text.StartsWith("ERR Script killed", StringComparison.Ordinal));
            var refused = replies.Count(reply => reply.Text.StartsWith("BUSY", StringComparison.Ordinal));
            Assert.That((killed, refused), Is.EqualTo(areBoth ? (2, 0) : (1, 1)));
        }
    }

    [Test]
    public async Task One_that_has_written_is_not_ended()
    {
        const string Script = "redis.call('SET', 'k', 'v') for i = 1, 3e8 do end return redis.call('GET', 'k')";
        using var server = new ServerInProcess(device: null, "--workers", "2", "--busy-reply-threshold", "50");
        using var caller = server.Connect();
        using var other = server.Connect();
        var execution = Task.Run(() => caller.Call("EVAL", Script, "0"));
        RespValue reply;
        do
        {
            reply = other.Call("SCRIPT", "KILL");
        }
        while (reply.Text.StartsWith("NOTBUSY", StringComparison.Ordinal) && !execution.IsCompleted);
        Assert.That(reply.Text, Does.StartWith("UNKILLABLE"));
        Assert.That((await execution).Text, Is.EqualTo("v"));
    }
}
