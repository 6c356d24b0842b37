using System.Text;
using NUnit.Framework;
using Strata.Server.Clients.Access;
using Strata.Tests.Server.Options;
using Strata.Tests.Support.Fuzzing;

namespace Strata.Tests.Server.Clients.Access;

/// <summary>
/// Rules of any bytes, one by one and in files: each makes a user or an error, and what is written of a user makes the
/// same one. <see cref="FuzzRun"/> says how it goes on for hours.
/// </summary>
internal sealed class RuleFuzzTests
{
    private static readonly string[] s_parts =
    [
        "+", "-", "@", "~", "%", "R", "W", "&", ">", "<", "#", "!", "(", ")", "|", "*", " ", "get", "config", "all",
        "read", "set", "x", "on", "off", "nopass", "reset", "allkeys", "resetkeys", "allchannels", "\"", "\0",
        "\xff",
    ];

    private static readonly string[] s_rules =
    [
        "on", "off", "nopass", ">secret", "<secret", "+@all", "-@dangerous", "+get", "-config|set", "+select|1", "~*",
        "~user:*", "%R~a*", "%W~[ab]?", "%RW~x", "&*", "&news:*", "resetchannels", "resetkeys", "allcommands",
        "(+get ~a)", "(+@read %R~b* &c)", "clearselectors", "resetpass", "reset",
        "#2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b",
    ];

    private static ReadOnlySpan<byte> Interesting => "+-@~%&><#!()|* \t\0\xff"u8;

    [Test]
    public void Random_rules_do_no_harm() => FuzzRun.Of(20_000, static random =>
    {
        var rules = Enumerable.Range(0, random.Next(1, 6)).Select(_ => Rule(random)).ToArray();
        if (RulesOfTests.TryMake(rules, out _) is { } user)
        {
            var again = RulesOfTests.TryMake(user.ToFileLine().Split(' ')[2..], out _)?.ToString();
            Assert.That(again, Is.EqualTo(user.ToString()), string.Join(' ', rules));
        }
    });

    [Test]
    public void Random_files_are_read_whole_or_refused()
    {
        using var folder = new TemporaryDirectory();
        var path = Path.Combine(folder.Path, "users.acl");
        var accepted = 0;
        FuzzRun.Of(2_000, random =>
        {
            File.WriteAllBytes(path, Lines(random));
            var errors = Read(path, out var users);
            if (errors.Length > 0)
            {
                Assert.That(errors, Does.EndWith("no change to the previously active ACL rules was performed"));
                return;
            }

            accepted++;
            File.WriteAllText(path, string.Join('\n', users), Encoding.Latin1);
            Assert.That(Read(path, out var again), Is.Empty);
            Assert.That(again, Is.EqualTo(users));
        });

        Assert.That(accepted, Is.GreaterThan(0));
    }

    private static string Rule(Random random)
    {
        if (random.Next(2) == 0)
        {
            return string.Concat(random.GetItems(s_parts, random.Next(1, 5)));
        }

        var rule = s_rules[random.Next(s_rules.Length)];
        return random.Next(2) == 0
            ? rule
            : Encoding.Latin1.GetString(Mutation.Of(Encoding.Latin1.GetBytes(rule), random, Interesting));
    }

    private static byte[] Lines(Random random)
    {
        var text = new StringBuilder();
        for (var i = random.Next(1, 4); i > 0; i--)
        {
            text.Append($"user name{i} {string.Join(' ', random.GetItems(s_rules, random.Next(5)))}\n");
        }

        var right = Encoding.Latin1.GetBytes(text.ToString());
        return random.Next(3) == 0 ? right : Mutation.Of(right, random, Interesting);
    }

    private static string Read(string path, out string[] users)
    {
        var errors = UserFile.Read(
            path, static () => new UserDraft(RulesOfTests.Vocabulary, allowsAllChannels: false), out var read);
        users = [.. read.Values.Select(static user => user.ToFileLine())];
        return errors;
    }
}
