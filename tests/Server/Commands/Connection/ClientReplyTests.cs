using System.Text;
using NUnit.Framework;
using Strata.Tests.EndToEnd;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Commands.Connection;

/// <summary>CLIENT REPLY: which replies come, of commands of every way of execution.</summary>
[TestFixture(ServerKind.Strata)]
[TestFixture(ServerKind.Redis)]
public sealed class ClientReplyTests(ServerKind kind) : ServerFixture(kind)
{
    [TestCase("CLIENT REPLY OFF|PING|GET k|SET k v|MGET a b|NOPE|GET|CLIENT LIST|CLIENT REPLY ON|PING", "OK PONG")]
    [TestCase("CLIENT REPLY SKIP|GET k|PING", "PONG")]
    [TestCase("CLIENT REPLY SKIP|CLIENT LIST|PING", "PONG")]
    [TestCase("CLIENT REPLY SKIP|EXEC|PING", "PONG")]
    [TestCase("CLIENT REPLY OFF|EXEC|CLIENT REPLY ON|PING", "OK PONG")]
    [TestCase("CLIENT REPLY OFF|MULTI|NOPE|EXEC|CLIENT REPLY ON|PING", "OK PONG")]
    [TestCase("CLIENT REPLY OFF|WATCH k|SET k v|MULTI|GET k|EXEC|CLIENT REPLY ON|PING", "OK PONG")]
    [TestCase("CLIENT REPLY SKIP|CLIENT REPLY SKIP|PING|ECHO a", "a")]
    [TestCase("CLIENT REPLY SKIP|CLIENT REPLY ON|ECHO a", "OK a")]
    [TestCase("CLIENT REPLY OFF|CLIENT REPLY SKIP|ECHO a|ECHO b|CLIENT REPLY ON|ECHO c", "OK c")]
    [TestCase("CLIENT REPLY OFF|RESET|ECHO a", "RESET a")]
    [TestCase("CLIENT REPLY SKIP|RESET|ECHO a", "a")]
    public void Only_the_wanted_replies_are_sent(string commands, string expected)
    {
        using var connection = Server.Connect();
        connection.SendRaw(commands.Replace("|", "\r\n", StringComparison.Ordinal) + "\r\nQUIT\r\n");
        var lines = Encoding.Latin1.GetString(connection.ReadToEnd()).Split("\r\n")
            .Where(line => line.Length > 0 && line[0] != '$')
            .Select(line => line.TrimStart('+'));
        Assert.That(string.Join(' ', lines), Is.EqualTo($"{expected} OK"));
    }

    /// <summary>Redis waits for ever for the reply to be sent that is not to be sent.</summary>
    [Test]
    public void A_client_without_replies_can_quit()
    {
        Assume.That(Kind, Is.EqualTo(ServerKind.Strata));
        using var connection = Server.Connect();
        connection.SendRaw("CLIENT REPLY OFF\r\nQUIT\r\n");
        Assert.That(connection.ReadToEnd(), Is.Empty);
    }
}
