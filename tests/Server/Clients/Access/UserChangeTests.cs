using NUnit.Framework;
using Strata.Server;
using Strata.Tests.Server.Execution;

namespace Strata.Tests.Server.Clients.Access;

/// <summary>Users of a server: every way to execute a command asks what they may do, and a change is followed at once,
/// whichever worker a client is on.</summary>
[TestFixture(1)]
[TestFixture(3)]
public sealed class UserChangeTests(int workers)
{
    private const string NoKey = "-NOPERM No permissions to access a key";
    private const string NoChannel = "-NOPERM No permissions to access a channel";

    private TurnServer _server = null!;
    private TurnClient _admin = null!;
    private TurnClient _client = null!;

    [SetUp]
    public void Start()
    {
        _server = new TurnServer(workers);
        _admin = _server.Connect();
        _client = _server.Connect();
    }

    [TearDown]
    public void Stop() => _server.Dispose();

    [Test]
    public void A_run_is_checked_command_by_command()
    {
        BeginUser("on nopass +get +set ~a* ~b %R~c");
        _client.Expect(
            ["SET a1 1", "SET b 2", "SET c 3", "GET a1", "GET x", "GET b", "GET c", "GET a1", "DEL a1", "SET a1 4"],
            "+OK", "+OK", NoKey, "$1", NoKey, "$2", "nil", "$1", NoCommand("del"), "+OK");
        _admin.Expect(["GET x", "GET a1", "GET c"], "nil", "$4", "nil");
    }

    [Test]
    public void A_change_holds_when_it_is_answered()
    {
        BeginUser("on nopass +get +set ~*");
        _client.Expect(["SET a 1", "GET a"], "+OK", "$1");
        _admin.Expect(["ACL SETUSER u -set"], "+OK");
        _client.Expect(["SET a 2", "GET a"], NoCommand("set"), "$1");
        _admin.Expect(["ACL SETUSER u +@all &*"], "+OK");
        _client.Expect(["SET a 2", "GET a", "DEL a", "PUBLISH c 1"], "+OK", "$2", ":1", ":0");
        _admin.Expect(["ACL SETUSER u resetkeys"], "+OK");
        _client.Expect(["GET a", "GET a", "ACL WHOAMI"], NoKey, NoKey, "$u");
    }

    [Test]
    public void Very_many_are_deleted_in_steps()
    {
        const int Users = 2000;
        foreach (var some in Enumerable.Range(0, Users).Chunk(500))
        {
            _ = _admin.All(some.Length, [.. some.Select(i => $"ACL SETUSER u{i}")]);
        }

        var other = _client;
        for (var i = 2; i <= workers; i++)
        {
            other = _server.Connect(); // On the same worker.
        }

        var names = string.Join(' ', Enumerable.Range(0, Users).Select(i => $"u{i}"));
        Assert.That(_admin.All(1, $"ACL DELUSER {names} default")[0], Does.StartWith("-ERR The 'default' user"));
        Assert.That(other.TurnsBesides(_admin, $"ACL DELUSER {names} nobody", most: 40, each: 1), Is.GreaterThan(10));
        _server.Settle();
        _ = _admin.Replies(); // All workers must have followed.
        _admin.Expect(["ACL DELUSER u1999 nobody", "ACL USERS"], ":0", "[$default]");
    }

    [Test]
    public void Very_many_rules_are_taken_in_steps()
    {
        var other = _client;
        for (var i = 2; i <= workers; i++)
        {
            other = _server.Connect(); // On the same worker.
        }

        var rules = string.Join(' ', Enumerable.Range(0, 20_000).Select(i => $"~{i}"));
        Assert.That(other.TurnsBesides(_admin, $"ACL SETUSER u on nopass +get {rules}", most: 60, each: 1),
            Is.GreaterThan(10));
        _server.Settle();
        _ = _admin.Replies(); // All workers must have followed.
        _client.Expect(["AUTH u x", "GET 19999", "GET 20000"], "+OK", "nil", NoKey);
        Assert.That(_admin.All(1, $"ACL SETUSER u resetkeys {rules} nonsense")[0], Does.StartWith("-ERR Error in ACL"));
        _client.Expect(["GET 0"], "nil");
        Assert.That(_admin.All(1, $"ACL SETUSER u resetkeys {rules} -get")[0], Is.EqualTo("+OK"));
        _client.Expect(["GET 0"], NoCommand("get"));
    }

    [Test]
    public void Exec_checks_again_what_was_queued()
    {
        BeginUser("on nopass +get +set +multi +exec +publish ~a ~b &c");
        _client.Expect(
            ["MULTI", "GET a", "SET a 1", "SET b 1", "GET b", "PUBLISH c 1"],
            "+OK", "+QUEUED", "+QUEUED", "+QUEUED", "+QUEUED", "+QUEUED");
        _admin.Expect(["ACL SETUSER u -get resetkeys resetchannels ~a"], "+OK");
        _client.Expect(["EXEC"], "[-NOPERM +OK -NOPERM -NOPERM -NOPERM]");
        _client.Expect(
            ["MULTI", "GET a", "EXEC"],
            "+OK", NoCommand("get"), "-EXECABORT Transaction discarded because of previous errors.");
        _admin.Expect(["GET b"], "nil");
    }

    [Test]
    public void Scripts_are_checked_command_by_command()
    {
        BeginUser("on nopass +eval +evalsha +get ~a");
        _client.SendRaw(Eval("return redis.call('get',KEYS[1])", "a") + Eval("return redis.pcall('get','b')")
            + Eval("return redis.pcall('set','a','1')") + Eval("return 1", "b")
            + Eval("return redis.acl_check_cmd('get','a') and not redis.acl_check_cmd('get','b')"));
        _server.Settle();
        Assert.That(
            _client.Replies(),
            Is.EqualTo(new[]
            {
                "nil",
                "-ERR ACL failure in script: No permissions to access a key",
                "-ERR ACL failure in script: User u has no permissions to run the 'set' command",
                NoKey,
                ":1",
            }));

        // One that is known and needs no checks of others' takes no shorter way here.
        const string Sha = "a42059b356c875f0717db19a51f6aaca9ae659ea"; // return {KEYS[1],KEYS[2],ARGV[1],ARGV[2]}
        _client.Expect([$"EVALSHA {Sha} 1 b"], NoKey);
    }

    [Test]
    public void Who_waits_for_a_key_is_checked_again_when_it_comes()
    {
        BeginUser("on nopass +@all ~*");
        _client.Expect(["BLPOP q 0"]);
        _admin.Expect(["ACL SETUSER u resetkeys", "RPUSH q x"], "+OK", ":1");
        _server.Settle();
        Assert.That(_client.Replies(), Is.EqualTo(new[] { NoKey }));
        _admin.Expect(["LLEN q"], ":1");
        _client.Expect(["PING"], "+PONG");
    }

    [Test]
    public void Sorting_by_other_keys_needs_the_right_to_read_all()
    {
        BeginUser("on nopass +@all ~a");
        _client.Expect(
            ["SORT a", "SORT a BY w_*", "SORT a BY nosort", "SORT a GET b", "SORT a STORE b"],
            "[]",
            "-ERR BY option of SORT denied due to insufficient ACL permissions.",
            "[]",
            "-ERR GET option of SORT denied due to insufficient ACL permissions.",
            NoKey);
        _admin.Expect(["ACL SETUSER u %R~*"], "+OK");
        _client.Expect(["SORT a BY w_* GET b"], "[]");
    }

    [Test]
    public void Subscriptions_that_are_not_allowed_any_more_end_with_the_connection()
    {
        BeginUser("on nopass +@all &a* &p*");
        var other = _server.Connect();
        other.Expect(["AUTH u x"], "+OK");
        _client.Expect(["SUBSCRIBE d"], NoChannel);
        Assert.That(_client.Call("SUBSCRIBE a1", "PSUBSCRIBE p*"), Has.Count.EqualTo(2));
        Assert.That(other.Call("SUBSCRIBE a1", "PSUBSCRIBE a*"), Has.Count.EqualTo(2));

        _admin.Expect(["ACL SETUSER u &x"], "+OK");
        Assert.That(_client.Replies(), Is.Empty);
        _admin.Expect(["ACL SETUSER u resetchannels &a*"], "+OK");
        _ = (_client.Replies(), other.Replies());
        Assert.That(_client.IsClosed, "of a pattern that is not among the user's");
        Assert.That(other.IsClosed, Is.False);
        _admin.Expect(["ACL SETUSER u resetchannels"], "+OK");
        _ = other.Replies();
        Assert.That(other.IsClosed);
    }

    [Test]
    public void Clients_of_a_user_that_is_deleted_are_closed()
    {
        BeginUser("on nopass +@all");
        _admin.Expect(["ACL DELUSER u nobody"], ":1");
        _ = _client.Replies();
        Assert.That(_client.IsClosed);

        var own = _server.Connect();
        own.Expect(["ACL SETUSER v on nopass +@all", "AUTH v x", "ACL DELUSER v"], "+OK", "+OK", ":1");
        _ = own.Replies();
        Assert.That(own.IsClosed, "when it has been answered");
        _admin.Expect(["ACL USERS"], "[$default]");
    }

    [Test]
    public void Reset_goes_back_to_the_default_user()
    {
        BeginUser("on nopass +@all ~a");
        _client.Expect(["GET b", "RESET", "ACL WHOAMI", "GET b"], NoKey, "+RESET", "$default", "nil");
        Assert.That(_client.Call("CLIENT LIST")[0], Does.Contain(" user=default "));
        _client.Expect(["AUTH u x", "GET b"], "+OK", NoKey);
        Assert.That(_admin.Call("CLIENT LIST")[0], Does.Contain(" user=u "));
        _admin.Expect(["CLIENT KILL USER u"], ":1");
        _ = _client.Replies();
        Assert.That(_client.IsClosed);
    }

    [Test]
    public void A_name_is_listed_as_it_was_given()
    {
        _client.SendRaw(
            "*6\r\n$3\r\nACL\r\n$7\r\nSETUSER\r\n$2\r\n\xc3\xa9\r\n$2\r\non\r\n$6\r\nnopass\r\n$5\r\n+@all\r\n"
            + "*3\r\n$4\r\nAUTH\r\n$2\r\n\xc3\xa9\r\n$1\r\nx\r\n");
        _server.Settle();
        Assert.That(_client.Replies(), Is.EqualTo(new[] { "+OK", "+OK" }));
        Assert.That(_client.Call("CLIENT LIST")[0], Does.Contain(" user=\xc3\xa9 "));
        _client.Expect(["ACL WHOAMI"], "$\xc3\xa9");
    }

    [Test]
    public void The_default_user_has_the_password_of_the_configuration()
    {
        _admin.Expect(["CONFIG SET requirepass p"], "+OK");
        var later = _server.Connect();
        later.Expect(
            ["PING", "AUTH q", "AUTH default p", "PING"],
            "-NOAUTH Authentication required.",
            "-WRONGPASS invalid username-password pair or user is disabled.",
            "+OK",
            "+PONG");
        later.Expect(["ACL SETUSER default nopass -@all +ping"], "+OK");
        later.Expect(["PING", "GET a"], "+PONG", NoCommand("get", "default"));
        var last = _server.Connect();
        last.Expect(["PING", "GET a"], "+PONG", NoCommand("get", "default"));
    }

    [Test]
    public void What_is_longer_than_a_password_is_none()
    {
        var tooLong = new string('p', ServerLimits.LongestCredentialBytes + 1);
        BeginUser("on nopass +@all");
        _client.Expect(
            [$"AUTH u {tooLong}", $"AUTH {tooLong} x", $"ACL SETUSER {tooLong}", $"CONFIG SET requirepass {tooLong}"],
            "-WRONGPASS invalid username-password pair or user is disabled.",
            "-WRONGPASS invalid username-password pair or user is disabled.",
            "-ERR A username has at most 16384 bytes",
            "-ERR CONFIG SET failed (possibly related to argument 'requirepass') - argument must have at most 16384 "
                + "bytes");
    }

    [Test]
    public void Memory_of_users_is_given_back()
    {
        var users = _server.Server.Services.Users;
        var before = users.ChargedBytes;
        _admin.Expect(["ACL SETUSER u >p +get ~a", "ACL SETUSER v ~bcd", "ACL SETUSER u reset"], "+OK", "+OK", "+OK");
        Assert.That(users.ChargedBytes, Is.EqualTo(users.All.Sum(static user => user.SizeBytes)));
        _admin.Expect(["ACL DELUSER u v"], ":2");
        Assert.That(users.ChargedBytes, Is.EqualTo(before));
    }

    [Test]
    public void What_is_refused_is_counted()
    {
        BeginUser("on nopass +get +publish ~a");
        _client.Expect(["GET b", "SET a 1", "PUBLISH c 1"], NoKey, NoCommand("set"), NoChannel);
        _client.Expect(["AUTH nobody x"], "-WRONGPASS invalid username-password pair or user is disabled.");
        Assert.That(
            _admin.Call("INFO stats")[0],
            Does.Contain("acl_access_denied_auth:1").And.Contain("acl_access_denied_cmd:1")
                .And.Contain("acl_access_denied_key:1").And.Contain("acl_access_denied_channel:1"));
        Assert.That(_admin.Call("INFO commandstats")[0], Does.Contain("cmdstat_set:calls=0,usec=0,usec_per_call=0.00,"
            + "rejected_calls=1,failed_calls=0"));
    }

    [Test]
    public void A_dry_run_says_what_is_forbidden()
    {
        BeginUser("on nopass +get ~a");
        _admin.Expect(
            ["ACL DRYRUN u GET a", "ACL DRYRUN u GET b", "ACL DRYRUN u DEL a", "ACL DRYRUN v GET a"],
            "+OK",
            "$User u has no permissions to access the 'b' key",
            "$User u has no permissions to run the 'del' command",
            "-ERR User 'v' not found");
        _admin.Expect(["ACL LIST"], "[$user default on nopass sanitize-payload ~* &* +@all $user u on nopass "
            + "sanitize-payload ~a resetchannels -@all +get]");
    }

    private void BeginUser(string rules)
        => Assert.That(
            (_admin.Call($"ACL SETUSER u {rules}")[0], _client.Call("AUTH u x")[0]), Is.EqualTo(("+OK", "+OK")));

    private static string NoCommand(string command, string user = "u")
        => $"-NOPERM User {user} has no permissions to run the '{command}' command";

    private static string Eval(string script, params string[] keys)
    {
        string[] words = ["EVAL", script, $"{keys.Length}", .. keys];
        return $"*{words.Length}\r\n" + string.Concat(words.Select(word => $"${word.Length}\r\n{word}\r\n"));
    }
}
