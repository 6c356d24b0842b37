using NUnit.Framework;
using Strata.Server.Options;
using Strata.Server.Text;

namespace Strata.Tests.Server.Text;

public sealed class QuotedWordsTests
{
    [TestCase("port 6379", "port", "6379")]
    [TestCase("  bind  127.0.0.1\t::1 ", "bind", "127.0.0.1", "::1")]
    [TestCase("save \"\"", "save", "")]
    [TestCase("a \"b c\" 'd e'", "a", "b c", "d e")]
    [TestCase("a \"\\x41\\n\\\"\\\\\\q\"", "a", "A\n\"\\q")]
    [TestCase("a \"\\xzz\"", "a", "xzz")]
    [TestCase("a 'it\\'s \\n'", "a", "it's \\n")]
    [TestCase("a b\"c d\"", "a", "bc d")]
    [TestCase("a # b", "a", "#", "b")]
    [TestCase("")]
    public void Splits_as_redis_does(string line, params string[] words)
    {
        Assert.That(QuotedWords.TrySplit(line, out var split), Is.True);
        Assert.That(split, Is.EqualTo(words));
    }

    [TestCase("a \"b")]
    [TestCase("a 'b")]
    [TestCase("a \"b\"c")]
    [TestCase("a 'b'c")]
    [TestCase("a \"b\\\"")]
    public void Refuses_quotes_that_do_not_balance(string line)
    {
        Assert.That(QuotedWords.TrySplit(line, out _), Is.False);
    }

    [FsCheck.NUnit.Property]
    public bool Gives_back_what_was_quoted(byte[] bytes)
    {
        var text = ConfigurationText.FromBytes(bytes);
        return QuotedWords.TrySplit(QuotedWords.Quote(text), out var words) && words is [var word] && word == text;
    }
}
