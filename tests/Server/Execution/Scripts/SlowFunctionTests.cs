using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Execution.Scripts;

/// <summary>A function that does not end by itself, and clients of another worker that look at it and end it.</summary>
[TestFixture]
internal sealed class SlowFunctionTests
{
    private const string Library = "#!lua name=lib\nredis.register_function('loop', function() while true do end end)\n"
        + "redis.register_function('write', function() redis.call('SET', 'k', 'v') for i = 1, 3e8 do end return 1 end)";

    private ServerInProcess _server = null!;
    private RespConnection _caller = null!;
    private RespConnection _other = null!;

    [SetUp]
    public void Start()
    {
        _server = new ServerInProcess(device: null, "--workers", "2", "--busy-reply-threshold", "50");
        _caller = _server.Connect();
        _other = _server.Connect(); // Clients are dealt out to the workers in turn.
        Assert.That(_other.Call("FUNCTION", "LOAD", Library).Text, Is.EqualTo("lib"));
    }

    [TearDown]
    public void Stop()
    {
        _caller.Dispose();
        _other.Dispose();
        _server.Dispose();
    }

    [Test]
    public async Task Others_are_told_which_it_is_and_can_end_it()
    {
        var execution = Task.Run(() => _caller.Call("FCALL", "LOOP", "1", "key", "argument"));
        RespValue reply;
        do
        {
            Assert.That(execution.IsCompleted, Is.False);
            reply = _other.Call("PING");
        }
        while (!reply.IsError);
        Assert.That(reply.Text, Is.EqualTo(
            "BUSY Redis is busy running a script. You can only call FUNCTION KILL or SHUTDOWN NOSAVE."));
        var running = _other.Call("FUNCTION", "STATS").Field("running_script")!;
        Assert.That(running.Field("name")!.Text, Is.EqualTo("loop"));
        Assert.That(running.Field("command")!.Items.Select(item => item.Text),
            Is.EqualTo(new[] { "FCALL", "LOOP", "1", "key", "argument" }));
        Assert.That(running.Field("duration_ms")!.Integer, Is.GreaterThanOrEqualTo(50));
        Assert.That(_other.Call("SCRIPT", "KILL").Text, Is.EqualTo(reply.Text));
        Assert.That(_other.Call("FUNCTION", "KILL").Text, Is.EqualTo("OK"));
        Assert.That((await execution).Text, Does.StartWith("ERR Script killed by user with SCRIPT KILL"));
        Assert.That(_other.Call("FUNCTION", "KILL").Text, Does.StartWith("NOTBUSY"));
        Assert.That(_other.Call("FUNCTION", "STATS").Field("running_script")!.IsNull, Is.True);
    }

    [Test]
    public async Task A_script_is_not_ended_as_a_function()
    {
        const string Busy = "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.";
        var execution = Task.Run(() => _caller.Call("EVAL", "while true do end", "0"));
        while (!_other.Call("PING").IsError)
        {
            Assert.That(execution.IsCompleted, Is.False);
        }

        Assert.That(_other.Call("FUNCTION", "KILL").Text, Is.EqualTo(Busy));
        Assert.That(_other.Call("FUNCTION", "STATS").Text, Is.EqualTo(Busy));
        Assert.That(_other.Call("SCRIPT", "KILL").Text, Is.EqualTo("OK"));
        Assert.That((await execution).IsError, Is.True);
    }

    [Test]
    public async Task One_that_has_written_is_not_ended()
    {
        var execution = Task.Run(() => _caller.Call("FCALL", "write", "0"));
        RespValue reply;
        do
        {
            reply = _other.Call("FUNCTION", "KILL");
        }
        while (reply.Text.StartsWith("NOTBUSY", StringComparison.Ordinal) && !execution.IsCompleted);
        Assert.That(reply.Text, Does.StartWith("UNKILLABLE"));
        Assert.That((await execution).Text, Is.EqualTo("1"));
    }

    [Test]
    public void A_library_that_does_not_end_is_stopped()
        => Assert.That(_other.Call("FUNCTION", "LOAD", "#!lua name=l\nwhile true do end").Text,
            Is.EqualTo("ERR Error registering functions: ERR FUNCTION LOAD timeout"));
}
