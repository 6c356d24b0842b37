using NUnit.Framework;

namespace Strata.Tests.Server.Execution;

/// <summary>Commands about the server that have very many words go through them in steps.</summary>
[TestFixture]
internal sealed class ManyWordsTests
{
    private const int Words = 8000;

    [TestCase("INFO WORDS", "$")]
    [TestCase("LATENCY RESET WORDS", ":0")]
    public void Others_have_their_turn_between_steps(string command, string reply)
    {
        using var server = new TurnServer(workers: 1);
        var (client, other) = (server.Connect(), server.Connect());
        command = command.Replace("WORDS", string.Join(' ', Enumerable.Repeat("x", Words)), StringComparison.Ordinal);
        Assert.That(other.TurnsBesides(client, command, most: 100, each: 2), Is.GreaterThan(2));
        Assert.That(client.All(1, command), Is.EqualTo(new[] { reply }));
    }

    [Test]
    public void A_section_is_found_among_many_words()
    {
        using var server = new TurnServer(workers: 1);
        var client = server.Connect();
        var words = string.Join(' ', Enumerable.Repeat("x", Words));
        Assert.That(client.All(1, $"INFO {words} CPU {words[..100]}")[0], Does.StartWith("$# CPU"));
    }

    [Test]
    public void Of_many_pairs_the_first_that_is_wrong_is_the_error()
    {
        using var server = new TurnServer(workers: 1);
        var client = server.Connect();
        var pairs = string.Join(' ', Enumerable.Repeat("hz 20", 2000));
        Assert.That(client.All(1, $"CONFIG SET {pairs} nosuch 1")[0], Does.Contain("duplicate parameter"));
        Assert.That(client.All(1, $"CONFIG SET nosuch 1 {pairs}")[0], Does.Contain("nosuch"));
        Assert.That(client.All(1, "CONFIG GET hz")[0], Is.EqualTo("[$hz $10]"));
    }
}
