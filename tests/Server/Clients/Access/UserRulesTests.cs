using NUnit.Framework;
using Strata.Server;
using Strata.Server.Clients.Access;

namespace Strata.Tests.Server.Clients.Access;

/// <summary>Rules: which are taken, what they are printed as, and what they allow.</summary>
public sealed class UserRulesTests
{
    private const string Nothing = "user u off sanitize-payload resetchannels -@all";

    [TestCase("", Nothing)]
    [TestCase("on nopass ~* &* +@all", "user u on nopass sanitize-payload ~* &* +@all")]
    [TestCase("ON NoPass AllKeys AllChannels AllCommands", "user u on nopass sanitize-payload ~* &* +@all")]
    [TestCase("on >a reset", Nothing)]
    [TestCase("skip-sanitize-payload", "user u off skip-sanitize-payload resetchannels -@all")]
    [TestCase("~a %R~b %w~c %RW~d %R~e %W~e", "user u off sanitize-payload ~a %R~b %W~c ~d ~e resetchannels -@all")]
    [TestCase("~a ~a &b &b", "user u off sanitize-payload ~a resetchannels &b -@all")]
    [TestCase("~a resetkeys &b resetchannels", Nothing)]
    [TestCase("+get +set -get", "user u off sanitize-payload resetchannels -@all +set -get")]
    [TestCase("+config|get +config|set -config", "user u off sanitize-payload resetchannels -@all -config")]
    [TestCase("+config -config|SET", "user u off sanitize-payload resetchannels -@all +config -config|set")]
    [TestCase("+select|0 +select|1", "user u off sanitize-payload resetchannels -@all +select|0 +select|1")]
    [TestCase("+@Read -@dangerous +@read", "user u off sanitize-payload resetchannels -@all -@dangerous +@read")]
    [TestCase("+get +@all -flushall", "user u off sanitize-payload resetchannels +@all -flushall")]
    [TestCase("+psync +client|tracking", "user u off sanitize-payload resetchannels -@all +psync +client|tracking")]
    [TestCase("(+get ~a) (+set %W~b &c)",
        "user u off sanitize-payload resetchannels -@all (~a resetchannels -@all +get) "
        + "(%W~b resetchannels &c -@all +set)")]
    [TestCase("(+get) clearselectors", Nothing)]
    [TestCase("()", "user u off sanitize-payload resetchannels -@all (resetchannels -@all)")]
    [TestCase("(\"~a\\\"b\" \"~c)\" +get)",
        "user u off sanitize-payload resetchannels -@all (\"~a\\\"b\" \"~c)\" resetchannels -@all +get)")]
    [TestCase("nopass >a",
        "user u off sanitize-payload #ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb "
        + "resetchannels -@all")]
    [TestCase(">a >b <a",
        "user u off sanitize-payload #3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d "
        + "resetchannels -@all")]
    public void What_a_user_is_printed_as_makes_the_same_user(string rules, string expected)
    {
        var user = RulesOfTests.User(rules.Split(' '));
        Assert.That(user.ToString(), Is.EqualTo(expected));
        Assert.That(QuotedWordsOf(expected), Is.EqualTo(expected));

        // The other way to make it again: by changing it.
        var draft = new UserDraft(RulesOfTests.Vocabulary, allowsAllChannels: false, user);
        Assert.That(new AccessUser("u", draft).ToString(), Is.EqualTo(expected));
    }

    [TestCase("+nope", "Unknown command or category name in ACL")]
    [TestCase("-get|x", "Unknown command or category name in ACL")]
    [TestCase("+@nope", "Unknown command or category name in ACL")]
    [TestCase("+config|nope", "Unknown command or category name in ACL")]
    [TestCase("+config|get|x", "Allowing first-arg of a subcommand is not supported")]
    [TestCase("+client|tracking|on", "Allowing first-arg of a subcommand is not supported")]
    [TestCase("+get|", "Syntax error")]
    [TestCase("+select|0 on", "Syntax error")]
    [TestCase("+select|0\n", "Syntax error")]
    [TestCase("nonsense", "Syntax error")]
    [TestCase("%~a", "Syntax error")]
    [TestCase("%RR~a", "Syntax error")]
    [TestCase("(on)", "Syntax error")]
    [TestCase("<a", "The password you are trying to remove from the user does not exist")]
    [TestCase(
        "#AB", "The password hash must be exactly 64 characters and contain only lowercase hexadecimal characters")]
    public void A_wrong_rule_is_refused_with_redis_text(string rule, string expected)
    {
        Assert.That(RulesOfTests.TryMake([rule], out var problem), Is.Null);
        Assert.That(problem.Text, Is.EqualTo(expected));
    }

    [Test]
    public void Patterns_behind_one_that_allows_everything_are_refused()
    {
        Assert.That(RulesOfTests.TryMake(["~*", "~a"], out var problem), Is.Null);
        Assert.That(problem, Is.EqualTo(RuleProblem.KeysAfterAll));
        Assert.That(RulesOfTests.TryMake(["&*", "&a"], out problem), Is.Null);
        Assert.That(problem, Is.EqualTo(RuleProblem.ChannelsAfterAll));
        Assert.That(RulesOfTests.TryMake(["~a b"], out problem), Is.Null);
        Assert.That(problem, Is.EqualTo(RuleProblem.Syntax));
    }

    [TestCase("(+get ~a", "(+get ~a", 0)]
    [TestCase("on|(+get|~a", "on", 1)]
    public void A_parenthesis_that_nothing_closes_is_found(string words, string first, int expected)
    {
        using var merged = new WordBuffer();
        Assert.That(RulesOfTests.TryMerge(words.Split('|'), merged, out var unmatched), Is.False);
        Assert.That(unmatched, Is.EqualTo(expected));
        Assert.That(words, Does.StartWith(first));
    }

    [TestCase("+get ~a", "get a", DenialReason.None)]
    [TestCase("+get ~a", "get b", DenialReason.Key)]
    [TestCase("+get ~a", "set a 1", DenialReason.Command)]
    [TestCase("+@all %R~a*", "get ab", DenialReason.None)]
    [TestCase("+@all %R~a*", "set ab 1", DenialReason.Key)]
    [TestCase("+@all %W~a*", "set ab 1", DenialReason.None)]
    [TestCase("+@all %W~a*", "set ab 1 get", DenialReason.Key)]
    [TestCase("+@all %W~a*", "strlen ab", DenialReason.None)]
    [TestCase("+@all %R~s %W~d", "copy s d", DenialReason.None)]
    [TestCase("+@all %R~s %W~d", "copy d s", DenialReason.Key)]
    [TestCase("+@all %R~s", "sort s store d", DenialReason.Key)]
    [TestCase("+@all ~a ~c", "georadius a 1 1 1 m store b storedist c", DenialReason.Key)]
    [TestCase("+@all ~a ~c", "georadius a 1 1 1 m storedist c store b", DenialReason.Key)]
    [TestCase("+@all ~a ~b ~c", "georadiusbymember a m 1 m store b storedist c", DenialReason.None)]
    [TestCase("+@all ~a ~b", "mset a 1 b 2", DenialReason.None)]
    [TestCase("+@all ~a ~b", "mset a 1 c 2", DenialReason.Key)]
    [TestCase("+@all ~a (+@all ~b)", "mget a b", DenialReason.Key)]
    [TestCase("+get ~a (+set ~b)", "set b 1", DenialReason.None)]
    [TestCase("+get ~a (+set ~b)", "set a 1", DenialReason.Key)]
    [TestCase("+get ~a (+set ~b)", "del a", DenialReason.Command)]
    [TestCase("+@all ~*", "publish c 1", DenialReason.Channel)]
    [TestCase("+@all ~* &c*", "publish cc 1", DenialReason.None)]
    [TestCase("+@all ~* &c*", "subscribe ca cb", DenialReason.None)]
    [TestCase("+@all ~* &c*", "subscribe ca d", DenialReason.Channel)]
    [TestCase("+@all ~* &c*", "psubscribe c*", DenialReason.None)]
    [TestCase("+@all ~* &c*", "psubscribe ca*", DenialReason.Channel)]
    [TestCase("+@all ~*", "unsubscribe c", DenialReason.None)]
    [TestCase("", "auth x", DenialReason.None)]
    [TestCase("", "ping", DenialReason.Command)]
    [TestCase("+select|0", "select 0", DenialReason.None)]
    [TestCase("+select|0", "select 1", DenialReason.Command)]
    [TestCase("+set|A ~*", "set a 1", DenialReason.None)]
    [TestCase("+config|get", "config get x", DenialReason.None)]
    [TestCase("+config|get", "config set x y", DenialReason.Command)]
    [TestCase("+config -config|set", "config get x", DenialReason.None)]
    [TestCase("+config -config|set", "config set x y", DenialReason.Command)]
    [TestCase("+@all -@dangerous", "flushall", DenialReason.Command)]
    [TestCase("+@all -@dangerous", "ping", DenialReason.None)]
    [TestCase("+@string ~*", "get a", DenialReason.None)]
    [TestCase("+@string ~*", "lpush a b", DenialReason.Command)]
    [TestCase("+@all ~a", "migrate h 1 a 0 1 copy", DenialReason.None)]
    [TestCase("+@all ~a", "migrate h 1 b 0 1 copy", DenialReason.Key)]
    [TestCase("+@all ~a", "migrate h 1  0 1 auth keys keys a a", DenialReason.None)]
    [TestCase("+@all ~a", "migrate h 1  0 1 auth2 keys keys replace keys a b", DenialReason.Key)]
    [TestCase("+@all %R~a", "migrate h 1  0 1 keys a", DenialReason.Key)]
    [TestCase("+eval ~a", "eval x 1 a", DenialReason.None)]
    [TestCase("+eval ~a", "eval x 1 b", DenialReason.Key)]
    public void What_a_user_may_do_follows_from_the_rules(string rules, string command, object expected)
        => Assert.That(RulesOfTests.Check(RulesOfTests.User(rules.Split(' ')), command).Reason, Is.EqualTo(expected));

    [TestCase("acl setuser u on >p ~k", "u on >p ~k")]
    [TestCase("acl getuser u", "")]
    [TestCase("auth u p", "u p")]
    [TestCase("migrate h 1 k 0 1 auth p copy", "p")]
    [TestCase("migrate h 1  0 1 replace auth2 u p keys k auth l", "u p")]
    [TestCase("migrate h 1  0 1 keys auth k", "")]
    public void Passwords_stay_out_of_monitor_and_slowlog(string command, string expected)
        => Assert.That(RulesOfTests.SecretsOf(command), Is.EqualTo(expected));

    [Test]
    public void A_password_that_no_new_client_could_send_is_refused()
    {
        var longest = new string('p', ServerLimits.LongestCredentialBytes);
        Assert.That(RulesOfTests.TryMake([">" + longest], out _), Is.Not.Null);
        Assert.That(RulesOfTests.TryMake([">p" + longest], out var problem), Is.Null);
        Assert.That(problem, Is.EqualTo(RuleProblem.PasswordTooLong));
    }

    [Test]
    public void A_user_to_whom_nothing_is_forbidden_is_known_as_such()
    {
        Assert.That(RulesOfTests.User("+@all", "~*", "&*").AllowsAll);
        Assert.That(RulesOfTests.User("+@all", "-get", "+get", "~*", "&*").AllowsAll);
        Assert.That(RulesOfTests.User("+@all", "-get", "~*", "&*").AllowsAll, Is.False);
        Assert.That(RulesOfTests.User("+@all", "~a", "&*").AllowsAll, Is.False);
        Assert.That(RulesOfTests.User("(+@all ~* &*)").AllowsAll);
    }

    /// <summary>Patterns may follow one that allows all keys by its rights.</summary>
    [Test]
    public void What_is_written_of_a_user_makes_the_same_user()
    {
        var user = RulesOfTests.User("~a", "%RW~*", "~b", "(+get %RW~* ~c)");
        Assert.That(user.ToString(), Does.Contain("~a ~* ~b").And.Contain("(~* ~c"), "as Redis prints it");
        Assert.That(
            RulesOfTests.User(user.ToFileLine().Split(' ')[2..]).ToString(), Is.EqualTo(user.ToString()));
    }

    [Test]
    public void A_password_is_known_by_its_hash()
    {
        var user = RulesOfTests.User(">secret", ">other");
        Assert.That(user.IsPassword("secret"u8));
        Assert.That(user.IsPassword("other"u8));
        Assert.That(user.IsPassword("secre"u8), Is.False);
        Assert.That(user.IsPassword(""u8), Is.False);
        Assert.That(RulesOfTests.User().IsPassword(""u8), Is.False);
        Assert.That(RulesOfTests.User("nopass").IsPassword("anything"u8));
    }

    /// <summary>What the user prints that is made of what a user prints.</summary>
    private static string QuotedWordsOf(string printed)
        => RulesOfTests.User(printed.Split(' ')[2..]).ToString();
}
