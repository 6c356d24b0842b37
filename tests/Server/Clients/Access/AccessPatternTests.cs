using NUnit.Framework;
using Strata.Server.Clients.Access;
using Strata.Server.Options;
using Strata.Server.Text;

namespace Strata.Tests.Server.Clients.Access;

/// <summary>Patterns of keys and channels.</summary>
public sealed class AccessPatternTests
{
    [Test]
    public void A_pattern_matches_what_the_glob_does()
    {
        const string Letters = "ab*?[]^-\\";
        var random = new Random(TestContext.CurrentContext.Random.Next());
        for (var i = 0; i < 50_000; i++)
        {
            var pattern = new string(random.GetItems(Letters.AsSpan(), random.Next(6)));
            var name = ConfigurationText.ToBytes(new string(random.GetItems("ab*".AsSpan(), random.Next(5))));
            Assert.That(
                IsMatch(pattern, name),
                Is.EqualTo(
                    GlobPattern.IsMatch(ConfigurationText.ToBytes(pattern), name)
                        && (pattern != "*" || name.Length > 0)),
                $"'{pattern}' and '{ConfigurationText.FromBytes(name)}'");
        }
    }

    [Test]
    public void A_pattern_that_would_be_exponential_is_not()
    {
        var pattern = string.Concat(Enumerable.Repeat("*a", 60)) + "b";
        Assert.That(IsMatch(pattern, ConfigurationText.ToBytes(new string('a', 20_000))), Is.False);
    }

    private static bool IsMatch(string pattern, byte[] name)
    {
        var bytes = ConfigurationText.ToBytes(pattern);
        return AccessPattern.IsMatch(bytes, AccessPattern.MarkOf(bytes, KeyRights.None), name);
    }
}
