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

    /// <summary>In steps of one byte it finds the same as in one go, and each step gets on.</summary>
    [Test]
    public void A_match_in_steps_finds_the_same([Values] bool ignoreCase)
    {
        var random = new Random(TestContext.CurrentContext.Random.Next());
        for (var i = 0; i < 50_000; i++)
        {
            var pattern = Encoding.ASCII.GetBytes(random.GetItems("aaabbA**?[]^-\\".AsSpan(), random.Next(12)));
            var value = Encoding.ASCII.GetBytes(random.GetItems("aaabbB*".AsSpan(), 1 + random.Next(12)));
            var match = default(GlobMatch);
            bool? matches = null;
            for (var step = 0; matches == null; step++)
            {
                Assert.That(step, Is.LessThan(1000));
                long effort = 1;
                matches = match.Go(pattern, value, ignoreCase, ref effort);
            }

            Assert.That(
                matches,
                Is.EqualTo(GlobPattern.IsMatch(pattern, value, ignoreCase)),
                $"'{Encoding.ASCII.GetString(pattern)}' and '{Encoding.ASCII.GetString(value)}'");
        }
    }

    /// <summary>What is literal is not looked at byte by byte.</summary>
    [TestCase("*news")]
    [TestCase("*news*")]
    [TestCase("*news?*")]
    [TestCase("*x?news*")]
    [TestCase("*?x\\xn?ws[a]*")]
    [TestCase("*:*:news")]
    [TestCase("n*")]
    public void A_long_value_takes_little_effort(string pattern)
    {
        var value = new byte[20_000];
        Array.Fill(value, (byte)'x');
        value[5000] = (byte)':';
        long effort = 1_000_000;
        Assert.That(default(GlobMatch).Go(Encoding.ASCII.GetBytes(pattern), value, false, ref effort), Is.False);
        Assert.That(1_000_000 - effort, Is.LessThan(value.Length / 8));
    }

    /// <summary>Pattern and value of 20 KB, which take more than a hundred million comparisons.</summary>
    [TestCase("*", "a?", "b")]
    [TestCase("", "[a]", "")]
    [TestCase("*[", "a", "]b")]
    public void A_step_takes_no_more_than_it_may(string start, string middle, string end)
    {
        const int Most = 10_000;
        var pattern = Encoding.ASCII.GetBytes(
            start + string.Concat(Enumerable.Repeat(middle, 20_000 / middle.Length)) + end);
        var value = new byte[20_000];
        Array.Fill(value, (byte)'a');
        var match = default(GlobMatch);
        for (var i = 0; i < 3; i++)
        {
            long effort = Most;
            if (match.Go(pattern, value, false, ref effort) == null)
            {
                Assert.That(effort, Is.InRange(-value.Length / 16, 0));
            }
        }
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
