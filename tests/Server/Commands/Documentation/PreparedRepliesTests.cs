using NUnit.Framework;
using Strata.Server.Commands.Documentation;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Server;
using Strata.Server.Resp;
using Strata.Tests.Server.Execution;

namespace Strata.Tests.Server.Commands.Documentation;

/// <summary>What is told of a command is made once in each protocol, however often it is asked for.</summary>
[TestFixture]
internal sealed class PreparedRepliesTests
{
    [Test]
    public void It_is_made_once_and_always_the_same()
    {
        using var server = new TurnServer(1);
        using var reply = new ReplyWriter();
        var context = new CommandContext(server.Server.Context, reply, server.Server.Services.KeyspaceEvents);
        var times = 0;
        var replies = new PreparedReplies((context, row) =>
        {
            times++;
            context.Reply.Map(1);
            context.Reply.Bulk(row.Name);
            context.Reply.Integer(times);
        });
        foreach (var protocol in new[] { 2, 3, 2, 3, 2 })
        {
            reply.Clear();
            reply.Protocol = protocol;
            reply.Ok();
            replies.Write(context, Role.Row);
            var expected = protocol == 2 ? "+OK\r\n*2\r\n$4\r\nrole\r\n:1\r\n" : "+OK\r\n%1\r\n$4\r\nrole\r\n:2\r\n";
            Assert.That(System.Text.Encoding.ASCII.GetString(reply.WrittenSpan), Is.EqualTo(expected));
        }

        Assert.That(times, Is.EqualTo(2));
    }

    /// <summary>As often as it is asked for in a transaction, in which nobody else has a turn.</summary>
    [TestCase("COMMAND DOCS get config")]
    [TestCase("COMMAND INFO get config")]
    [TestCase("COMMAND DOCS")]
    public void A_transaction_is_answered_the_same_again_and_again(string command)
    {
        using var server = new TurnServer(1);
        var client = server.Connect();
        var alone = client.All(1, command)[0];
        var replies = client.All(6, "MULTI", command, command, command, "EXEC", "PING");
        Assert.That(replies[4], Is.EqualTo($"[{alone} {alone} {alone}]"));
    }
}
