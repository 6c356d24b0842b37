using System.Text;
using NUnit.Framework;
using Strata.Server.Text;

namespace Strata.Tests.Server.Text;

public sealed class GlobPatternTests
{
    // What redis-server 7.0.15 answers to KEYS with the pattern, for a database with the value as its only key.
    [TestCase("*", "", true)]
    [TestCase("**", "", false)]
    [TestCase("?", "", false)]
    [TestCase("", "", true)]
    [TestCase("", "a", false)]
    [TestCase("*", "abc", true)]
    [TestCase("a*", "abc", true)]
    [TestCase("a*c", "abc", true)]
    [TestCase("a*b", "abc", false)]
    [TestCase("a**c", "abbc", true)]
    [TestCase("*b*", "abc", true)]
    [TestCase("*abc*", "abababc", true)]
    [TestCase("abc*", "abc", true)]
    [TestCase("a?c", "abc", true)]
    [TestCase("a?", "abc", false)]
    [TestCase("???", "abc", true)]
    [TestCase("[abc]", "b", true)]
    [TestCase("[a-c]x", "bx", true)]
    [TestCase("[c-a]x", "bx", true)]
    [TestCase("[^a-c]x", "bx", false)]
    [TestCase("[^a-c]x", "dx", true)]
    [TestCase("[^x]b*", "ab]c", true)]
    [TestCase("[a-]b*", "ab", false)]
    [TestCase("[\\]]", "]", true)]
    [TestCase("[]", "a", false)]
    [TestCase("[abc", "b", true)]
    [TestCase("[", "b", false)]
    [TestCase("a[", "a", false)]
    [TestCase("a\\*b", "a*b", true)]
    [TestCase("a\\*b", "axb", false)]
    [TestCase("a\\", "a\\", true)]
    [TestCase("h\\?llo", "h?llo", true)]
    [TestCase("HELLO", "hello", false)]
    public void Matches_as_redis_does(string pattern, string value, bool matches)
    {
        var matched = GlobPattern.IsMatch(Encoding.ASCII.GetBytes(pattern), Encoding.ASCII.GetBytes(value));
        Assert.That(matched, Is.EqualTo(matches));
    }

    [TestCase("MAX*", "maxmemory", true)]
    [TestCase("[A-C]x", "bX", true)]
    [TestCase("[\\B]", "b", false)]
    [TestCase("[B]", "b", true)]
    [TestCase("@", "`", false)]
    public void Matches_letters_in_either_case_when_asked_to(string pattern, string value, bool matches)
    {
        var matched = GlobPattern.IsMatch(Encoding.ASCII.GetBytes(pattern), Encoding.ASCII.GetBytes(value), true);
        Assert.That(matched, Is.EqualTo(matches));
    }

    [Test]
    public void Takes_no_exponential_time()
    {
        var pattern = Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat("a*", 30)) + "b");
        var value = Encoding.ASCII.GetBytes(new string('a', 10_000));
        Assert.That(GlobPattern.IsMatch(pattern, value), Is.False, "or no answer in this test's lifetime");
    }

    [FsCheck.NUnit.Property]
    public bool Agrees_with_a_plain_recursive_matcher(byte[] patternChoices, byte[] valueChoices)
    {
        var pattern = patternChoices.Take(8).Select(choice => "ab*?"[choice % 4]).ToArray();
        var value = valueChoices.Take(8).Select(choice => "ab"[choice % 2]).ToArray();
        var expected = value.Length == 0 ? pattern is [] or ['*'] : MatchesPlainly(pattern, value);
        return GlobPattern.IsMatch(Encoding.ASCII.GetBytes(pattern), Encoding.ASCII.GetBytes(value)) == expected;
    }

    private static bool MatchesPlainly(ReadOnlySpan<char> pattern, ReadOnlySpan<char> value)
    {
        if (pattern.IsEmpty)
        {
            return value.IsEmpty;
        }

        return pattern[0] == '*'
            ? MatchesPlainly(pattern[1..], value) || (!value.IsEmpty && MatchesPlainly(pattern, value[1..]))
            : !value.IsEmpty
                && (pattern[0] == '?' || pattern[0] == value[0])
                && MatchesPlainly(pattern[1..], value[1..]);
    }
}
