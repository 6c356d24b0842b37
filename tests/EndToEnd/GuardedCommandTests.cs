using System.Net;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>What could harm the machine, and who may use it (no, local, yes), beside redis-server 7.0.15: each reply is
/// compared.</summary>
public sealed class GuardedCommandTests
{
    private static readonly string[] s_options =
        ["enable-protected-configs", "enable-debug-command", "enable-module-command"];

    /// <summary>Without modules there is nothing to allow: MODULE LOAD is answered as by no.</summary>
    [Test]
    public void Who_may_use_what_is_guarded([Values("no", "local", "yes")] string value)
    {
        var replies = new List<List<RespValue>>();
        foreach (var kind in new[] { ServerKind.Redis, ServerKind.Strata })
        {
            using var server = ServerProcess.Launch(
                kind,
                [ServerProcess.ProgramOf(kind)],
                [
                    "--protected-mode", "no", "--save", "", "--enable-protected-configs", value,
                    "--enable-debug-command", value,
                    "--enable-module-command", kind == ServerKind.Strata ? "no" : value,
                ],
                bind: IPAddress.Any);
            Assert.That(server.WaitUntilReady(), server.Output);
            replies.Add([.. Addresses().SelectMany(address => Ask(address, server, value))]);
        }

        Assert.That(replies[1], Is.EqualTo(replies[0]));
    }

    [Test]
    public void What_is_guarded_cannot_be_opened_at_run_time()
    {
        using var redis = RedisProcess.Start();
        using var strata = StrataProcess.Start();
        using var toRedis = redis.Connect();
        using var toStrata = strata.Connect();
        foreach (var option in s_options)
        {
            var refusal = toStrata.Call("CONFIG", "SET", option, "yes");
            Assert.That(refusal.IsError);
            Assert.That(refusal, Is.EqualTo(toRedis.Call("CONFIG", "SET", option, "yes")));
            Assert.That(toStrata.Call("CONFIG", "GET", option), Is.EqualTo(toRedis.Call("CONFIG", "GET", option)));
        }
    }

    private static IEnumerable<RespValue> Ask(IPAddress address, ServerProcess server, string value)
    {
        using var client = RespConnection.Connect(new IPEndPoint(address, server.Port));
        yield return client.Call("DEBUG", "SLEEP", "0");
        yield return client.Call("DEBUG", "HELP").IsError ? RespValue.Error("refused") : RespValue.Simple("allowed");
        yield return client.Call("CONFIG", "SET", "dir", "/");
        yield return client.Call("CONFIG", "SET", "dbfilename", "other.rdb");
        yield return client.Call("CONFIG", "SET", "maxclients", "100", "dir", "/");
        if (value == "no" || (value == "local" && !IPAddress.IsLoopback(address)))
        {
            yield return client.Call("MODULE", "LOAD", "/nowhere.so");
            yield return client.Call("MODULE", "UNLOAD", "nothing");
        }
    }

    private static List<IPAddress> Addresses()
    {
        var own = AccessTests.OwnAddress();
        return own == null ? [IPAddress.Loopback] : [IPAddress.Loopback, own];
    }
}
