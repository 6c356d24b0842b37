using System.Text;
using NUnit.Framework;
using Strata.Tests.Server.Execution;
using Strata.Tests.Server.Rdb;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>What DUMP gives redis-server takes by RESTORE, and the value is the same.</summary>
[TestFixture]
internal sealed class PayloadTests
{
    private static readonly int[] s_sizes = [1, 2, 5, 40, 129, 513, 3000];
    private static readonly int[] s_longest = [3, 30, 65, 300, 9000];

    [Test]
    public void Redis_restores_what_strata_dumps(
        [ValueSource(typeof(RandomValue), nameof(RandomValue.Types))] string type)
    {
        using var redisProcess = ServerProcess.Start(ServerKind.Redis, "--enable-debug-command", "yes");
        using var strataServer = new ServerInProcess(device: null, "--enable-debug-command", "yes");
        using var redis = redisProcess.Connect();
        using var strata = strataServer.Connect();
        var random = new Random(type.Length);
        foreach (var size in s_sizes)
        {
            foreach (var longest in s_longest)
            {
                if ((long)size * longest > 3_000_000)
                {
                    continue;
                }

                var commands = RandomValue.Make(random, type, "k", size, longest);
                Fill(redis, commands);
                Fill(strata, commands);
                var payload = strata.Call("DUMP", "k").Bytes;
                var reply = redis.Call(new RespCommand([.. Words("RESTORE", "copy", "0"), payload]));
                Assert.That(reply.Text, Is.EqualTo("OK"), $"{type} of {size} elements of {longest} bytes");
                var digests = redis.Call("DEBUG", "DIGEST-VALUE", "k", "copy").Items;
                Assert.That(digests[1].Text, Is.EqualTo(digests[0].Text), $"{type}, {size}, {longest}");
                redis.Call("FLUSHALL");
                strata.Call("FLUSHALL");
            }
        }
    }

    [Test]
    public void A_key_that_is_not_there_has_no_payload()
    {
        using var server = new ServerInProcess(device: null);
        using var client = server.Connect();
        Assert.That(client.Call("DUMP", "none").Kind, Is.EqualTo(RespKind.NullBulk));
    }

    private static void Fill(RespConnection server, List<RespCommand> commands)
    {
        foreach (var command in commands)
        {
            var reply = server.Call(command);
            Assert.That(reply.IsError, Is.False, reply.Text);
        }
    }

    private static byte[][] Words(params string[] words) => [.. words.Select(Encoding.Latin1.GetBytes)];
}
