using System.Text;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>What FUNCTION DUMP gives, either server takes by FUNCTION RESTORE, packed or not.</summary>
[TestFixture]
internal sealed class FunctionPayloadTests
{
    private static readonly string[] s_libraries =
    [
        "#!lua name=a\nredis.register_function('f', function() return 'a' end)",
        "#!lua name=long\n" + string.Concat(Enumerable.Range(0, 500).Select(i => $"-- line {i} of many alike\n"))
            + "redis.register_function{function_name='g', description='d', callback=function(k, a) return a end}",
        "#!lua name=bytes\n-- \xff\xfe\x80\x01\nredis.register_function('h', function() return '\xe9\\0' end)",
    ];

    [TestCase(ServerKind.Redis, ServerKind.Strata)]
    [TestCase(ServerKind.Strata, ServerKind.Redis)]
    [TestCase(ServerKind.Strata, ServerKind.Strata)]
    public void What_one_server_dumps_another_restores(ServerKind from, ServerKind to)
    {
        using var first = ServerProcess.Start(from);
        using var second = ServerProcess.Start(to);
        using var source = first.Connect();
        using var target = second.Connect();
        foreach (var library in s_libraries)
        {
            Assert.That(source.Call("FUNCTION", "LOAD", library).IsError, Is.False);
        }

        var payload = source.Call("FUNCTION", "DUMP").Bytes;
        var reply = target.Call(new RespCommand(["FUNCTION"u8.ToArray(), "RESTORE"u8.ToArray(), payload]));
        Assert.That(reply.Text, Is.EqualTo("OK"));
        Assert.That(List(target), Is.EqualTo(List(source)));
        Assert.That(target.Call("FCALL", "g", "0", "x").Items.Single().Text, Is.EqualTo("x"));
        Assert.That(target.Call("FCALL", "h", "0").Bytes, Is.EqualTo(Encoding.Latin1.GetBytes("\xe9\0")));
    }

    private static RespValue List(RespConnection server)
        => server.Call("FUNCTION", "LIST", "WITHCODE").Sorted(arraysToo: true);
}
