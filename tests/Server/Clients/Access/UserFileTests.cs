using System.Text.RegularExpressions;
using NUnit.Framework;
using Strata.Server.Lifecycle;
using Strata.Tests.Server.Execution;

namespace Strata.Tests.Server.Clients.Access;

/// <summary>Users that a server starts with, or takes from a file and writes to one; and what it logs of them.
/// </summary>
public sealed partial class UserFileTests
{
    private const string Default = "$user default on nopass sanitize-payload ~* &* +@all";
    private const string Wrong = "-WRONGPASS invalid username-password pair or user is disabled.";

    private string _folder = null!;

    private string File => Path.Combine(_folder, "users.acl");

    [SetUp]
    public void MakeFolder() => _folder = Directory.CreateTempSubdirectory("strata-users").FullName;

    [TearDown]
    public void RemoveFolder() => Directory.Delete(_folder, recursive: true);

    [Test]
    public void Users_of_the_configuration_are_there_from_the_start()
    {
        using var server = new TurnServer(
            1, null, null, "--user", "a on >p ~x +get (+set ~y)", "--user", "default on >q +@all -keys ~*");
        server.Server.Services.Users.LoadConfigured(server.Server.Context.Log);
        var client = server.Connect();
        client.Expect(
            ["PING", "AUTH a q", "AUTH a p", "GET x", "SET y 1", "GET y"],
            "-NOAUTH Authentication required.", Wrong, "+OK", "nil", "+OK", "-NOPERM No permissions to access a key");
        client.Expect(
            ["AUTH q", "KEYS *"], "+OK", "-NOPERM User default has no permissions to run the 'keys' command");
    }

    [TestCase("a +nope", "Error in user declaration '+nope': Unknown command or category name in ACL")]
    [TestCase("a <secret", "Error in user declaration '<...': The password you are trying to remove from the user does "
        + "not exist")]
    [TestCase("a (+get", "Unmatched parenthesis in acl selector starting at '(+get'")]
    public void A_wrong_user_ends_the_start(string user, string expected)
    {
        using var server = new TurnServer(1, null, null, "--user", user);
        Assert.That(
            Assert.Throws<StartupException>(() => Load(server))!.Message, Is.EqualTo($"Flag --user: {expected}"));
    }

    [Test]
    public void A_file_is_taken_whole_or_not_at_all()
    {
        System.IO.File.WriteAllText(File, "user a on nopass ~x +get\n\n  user b on >p\r\n");
        using var server = Start();
        var admin = server.Connect();
        var client = server.Connect();
        client.Expect(["AUTH a x", "GET x"], "+OK", "nil");
        admin.Expect(
            ["ACL LIST"],
            "[$user a on nopass sanitize-payload ~x resetchannels -@all +get $user b on sanitize-payload "
            + "#148de9c5a7a44d19e56cd9ae1a554bf67847afb0c58f6e12fa29ac7ddfca9940 resetchannels -@all "
            + $"{Default}]");

        System.IO.File.WriteAllText(
            File,
            "user a on nopass +nope +@no ~x (\nuser a\nuser c on +get|\nuserx\nuser a +foo foo bar +bar\n");
        var (error, all) = (admin.Call("ACL LOAD")[0], admin.Call("ACL USERS")[0]);
        Assert.That(error, Is.EqualTo(
            $"-ERR {File}:1: Unmatched parenthesis in selector definition."
            + $"{File}:3: Syntax error. "
            + $"{File}:4 should start with user keyword followed by the username. "
            + $"WARNING: Duplicate user 'a' found on line 5. "
            + "WARNING: ACL errors detected, no change to the previously active ACL rules was performed"));
        Assert.That(all, Is.EqualTo("[$a $b $default]"));

        System.IO.File.WriteAllText(File, "user a on nopass ~y +get\nuser default on nopass +@all ~* -keys\n");
        var other = server.Connect();
        other.Expect(["AUTH b p"], "+OK");
        admin.Expect(
            ["ACL LOAD", "KEYS *"], "+OK", "-NOPERM User default has no permissions to run the 'keys' command");
        client.Expect(["GET x", "GET y"], "-NOPERM No permissions to access a key", "nil");
        _ = other.Replies();
        Assert.That(other.IsClosed, "its user is not there any more");

        System.IO.File.Delete(File);
        admin.Expect(
            ["ACL LOAD"], $"-ERR Error loading ACLs, opening file '{File}': No such file or directory");
    }

    [Test]
    public void What_is_saved_is_what_is_loaded()
    {
        System.IO.File.WriteAllText(File, "");
        using var server = Start();
        var admin = server.Connect();
        admin.Expect(["ACL SETUSER a on >p ~x* %R~y &c +@read -get (+set ~\"z)", "ACL SAVE"], "+OK", "+OK");
        var before = admin.Call("ACL LIST")[0];
        Assert.That(System.IO.File.GetUnixFileMode(File) & UnixFileMode.UserRead, Is.Not.Zero);
        admin.Expect(["ACL DELUSER a", "ACL LOAD"], ":1", "+OK");
        Assert.That(admin.Call("ACL LIST")[0], Is.EqualTo(before));

        Directory.Delete(_folder, recursive: true);
        admin.Expect(
            ["ACL SAVE"],
            "-ERR There was an error trying to save the ACLs. Please check the server logs for more information");
        Directory.CreateDirectory(_folder);
        admin.Expect(["ACL SAVE"], "+OK");
        Assert.That(
            System.IO.File.GetUnixFileMode(File), Is.EqualTo(UnixFileMode.UserRead | UnixFileMode.UserWrite));
    }

    [Test]
    public void Without_a_file_there_is_none_to_load()
    {
        using var server = new TurnServer(1);
        var admin = server.Connect();
        Assert.That(
            admin.Call("ACL LOAD", "ACL SAVE"),
            Is.All.StartWith("-ERR This Redis instance is not configured to use an ACL file."));
    }

    [Test]
    public void The_log_has_what_was_refused()
    {
        using var server = new TurnServer(2);
        var admin = server.Connect();
        var client = server.Connect();
        admin.Expect(["ACL SETUSER u on nopass +get +multi +exec +eval +publish ~a"], "+OK");
        client.Expect(["AUTH u x"], "+OK");
        client.Call("GET b", "GET b", "GET a", "DEL a", "PUBLISH c 1", "MULTI", "GET a", "GET b", "EXEC");
        client.Call("MULTI", "GET a");
        admin.Expect(["ACL SETUSER u -get"], "+OK");
        client.Call("EXEC", "AUTH u", "AUTH nobody x", "EVAL return{redis.pcall('get','a')} 0");
        Assert.That(Log(admin), Is.EqualTo(new[]
        {
            "1 command lua get u", "1 auth toplevel AUTH nobody", "1 command multi get u", "1 key multi b u",
            "1 channel toplevel c u", "1 command toplevel del u", "2 key toplevel b u",
        }));
        Assert.That(admin.Call("ACL LOG 1")[0], Does.Contain(" user=u ").And.Contain("$entry-id :6"));

        admin.Expect(["CONFIG SET acllog-max-len 2"], "+OK");
        client.Call($"GET {new string('k', 1030)}");
        Assert.That(Log(admin), Is.EqualTo(new[]
        {
            "2 command toplevel get u", "1 auth toplevel AUTH nobody",
        }).Or.EqualTo(new[] { "1 command toplevel get u", "1 command lua get u" }));
        admin.Expect(["ACL SETUSER u +get"], "+OK");
        client.Call($"GET {new string('k', 1030)}");
        Assert.That(Log(admin)[0], Is.EqualTo($"1 key toplevel {new string('k', 1024)}... (6 more bytes) u"));
        admin.Expect(
            ["ACL LOG RESET", "ACL LOG", "ACL LOG x"], "+OK", "[]", "-ERR value is not an integer or out of range");
    }

    [Test]
    public void The_log_has_no_more_of_a_clients_name_than_of_a_key()
    {
        using var server = new TurnServer(1);
        var client = server.Connect();
        var name = new string('n', 16_000);
        client.Expect(
            [$"CLIENT SETNAME {name}", "AUTH nobody x", "CONFIG SET acllog-max-len 1", "AUTH somebody x"],
            "+OK", Wrong, "+OK", Wrong);
        var log = client.Call("ACL LOG")[0];
        Assert.That(log, Does.Contain($" name={name[..1024]}... age="));
        Assert.That(server.Server.Services.AccessLog.ChargedBytes, Is.LessThan(10_000));
        Assert.That(client.Call("CLIENT INFO")[0], Does.Contain($" name={name} age="));
    }

    private TurnServer Start()
    {
        var server = new TurnServer(2, null, null, "--aclfile", File);
        Load(server);
        return server;
    }

    private static void Load(TurnServer server)
        => server.Server.Services.Users.LoadConfigured(server.Server.Context.Log);

    private static string[] Log(TurnClient admin)
        => [.. LogEntry().Matches(admin.Call("ACL LOG")[0]).Select(match => string.Join(
            ' ', match.Groups.Values.Skip(1).Select(group => group.Value)))];

    [GeneratedRegex(
        @"\$count :(\d+) \$reason \$(\w+) \$context \$(\w+) \$object \$(.*?) \$username \$(\w+) \$age-seconds")]
    private static partial Regex LogEntry();
}
