using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>A script that takes all the memory there is gives it back to the machine, on each worker, and is charged
/// no more for what it has answered.</summary>
[TestFixture]
internal sealed class ScriptMemoryTests
{
    private const long Limit = 256 << 20;
    private const int Workers = 2;

    [TestCase("local t while true do local o = t t = function() return o end end")]
    [TestCase("local t = {} while true do t[#t + 1] = {} end")]
    [TestCase("local s = 'x' while true do s = s .. s end")]
    [TestCase("local t = {} for i = 1, 10 do t[i] = t end return t")]
    public void A_bombs_memory_comes_back(string bomb)
    {
        using var server = StrataProcess.Start("--workers", $"{Workers}", "--maxmemory", $"{Limit}");
        using var control = server.Connect();
        ExecuteOnAll(server, "return 1");
        var resident = server.ResidentBytes();
        ExecuteOnAll(server, bomb, "OOM");

        Assert.That(ServerInfo.Number(control, "memory", "used_memory_vm_eval"), Is.LessThan(4 << 20));
        Assert.That(server.ResidentBytes() - resident, Is.LessThan(Limit / 2));
    }

    [Test]
    public void A_long_result_is_not_kept()
    {
        using var server = StrataProcess.Start("--workers", "1");
        using var client = server.Connect();
        Assert.That(client.Call("EVAL", "return string.rep('x', 2 ^ 25)", "0").Text, Has.Length.EqualTo(1 << 25));
        Assert.That(ServerInfo.Number(client, "memory", "used_memory_vm_eval"), Is.LessThan(4 << 20));
        var error = client.Call("EVAL", "error(string.rep('x', 2 ^ 24))", "0").Text;
        Assert.That(error, Has.Length.GreaterThan(1 << 24));
        Assert.That(ServerInfo.Number(client, "memory", "used_memory_vm_eval"), Is.LessThan(4 << 20));
    }

    private static void ExecuteOnAll(ServerProcess server, string script, string? error = null)
    {
        for (var i = 0; i < Workers; i++)
        {
            using var client = server.Connect(); // They are dealt out in turn.
            var reply = client.Call("EVAL", script, "0");
            if (error != null)
            {
                Assert.That(reply.Text, Does.StartWith(error));
            }
        }
    }
}
