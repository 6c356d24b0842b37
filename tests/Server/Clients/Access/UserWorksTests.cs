using System.Diagnostics;
using NUnit.Framework;
using Strata.Server.Clients.Access;
using Strata.Storage.Runtime;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Clients.Access;

/// <summary>What takes long with users is done beside the workers: by a server whose file of users is a pipe, which can
/// be read only when somebody writes to it.</summary>
internal sealed class UserWorksTests
{
    private const string Default = "user default on nopass ~* &* +@all\n";

    private string _folder = null!;
    private ServerProcess _server = null!;
    private RespConnection _admin = null!;

    private string UserFile => Path.Combine(_folder, "users.acl");

    [SetUp]
    public void Start()
    {
        _folder = Directory.CreateTempSubdirectory("strata-users").FullName;
        File.WriteAllText(UserFile, Default);
        _server = ServerProcess.Start(ServerKind.Strata, "--workers", "1", "--aclfile", UserFile);
        _admin = _server.Connect();
    }

    [TearDown]
    public void Stop()
    {
        _admin.Dispose();
        _server.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Test]
    public void Others_are_served_while_the_file_is_read()
    {
        MakePipe();
        _admin.Send("ACL", "LOAD");
        using var other = _server.Connect();
        Assert.That(other.Call("SET", "k", "v").Text, Is.EqualTo("OK"));
        Assert.That(other.Call("ACL", "SETUSER", "lost", "on").Text, Is.EqualTo("OK"));
        Assert.That(other.Call("ACL", "USERS").Items, Has.Count.EqualTo(2));
        WriteToPipe("user read on nopass");
        Assert.That(_admin.ReadReply().Text, Is.EqualTo("OK"));
        Assert.That(Users(), Is.EqualTo("default read"));
    }

    /// <summary>Half a second of work is not begun anew for ever, because others change the same user 20,000 times a
    /// second.</summary>
    [Test]
    public void A_long_change_is_not_outrun_for_ever([Values] bool inTransactions)
    {
        const int InFlight = 10;
        using var stop = new CancellationTokenSource();
        var others = Enumerable.Range(0, 4).Select(_ => Task.Run(() =>
        {
            using var other = _server.Connect();
            string[][] change = inTransactions
                ? [["MULTI"], ["ACL", "SETUSER", "u", "on"], ["EXEC"]]
                : [["ACL", "SETUSER", "u", "on"]];
            while (!stop.IsCancellationRequested)
            {
                for (var i = 0; i < InFlight; i++)
                {
                    Array.ForEach(change, other.Send);
                }

                for (var i = 0; i < InFlight * change.Length; i++)
                {
                    Assert.That(other.ReadReply().IsError, Is.False);
                }
            }
        })).ToArray();
        string[] many = ["ACL", "SETUSER", "u", .. Enumerable.Range(0, 200_000).Select(static i => $"~{i}")];
        Assert.That(_admin.Call(many).Text, Is.EqualTo("OK"));
        Assert.That(_admin.Call("ACL", "LOAD").Text, Is.EqualTo("OK"));
        stop.Cancel();
        Task.WaitAll(others);
    }

    [Test]
    public void One_comes_after_the_other()
    {
        MakePipe();
        _admin.Send("ACL", "LOAD");
        using var second = _server.Connect();
        using var third = _server.Connect();
        Assert.That(third.Call("PING").Text, Is.EqualTo("PONG"));
        second.Send(["ACL", "SETUSER", "many", .. Enumerable.Range(0, 20_000).Select(i => $"~{i}")]);
        Assert.That(third.Call("PING").Text, Is.EqualTo("PONG"));
        WriteToPipe("user many on nopass ~first");
        Assert.That(_admin.ReadReply().Text, Is.EqualTo("OK"));
        Assert.That(second.ReadReply().Text, Is.EqualTo("OK"));
        var keys = third.Call("ACL", "GETUSER", "many").Items[7].Text;
        Assert.That(keys, Does.StartWith("~first ~0 ~1 ").And.EndsWith(" ~19999"));
    }

    [Test]
    public void What_was_begun_is_done_though_its_client_has_gone()
    {
        MakePipe();
        using (var gone = _server.Connect())
        {
            gone.Send("ACL", "LOAD");
        }

        Assert.That(_admin.Call("PING").Text, Is.EqualTo("PONG"));
        WriteToPipe("user read on nopass");
        Assert.That(Users, Is.EqualTo("default read").After(Patience.Ms, 10));
    }

    [Test]
    public void A_wrong_file_changes_nothing_and_a_wrong_rule_neither()
    {
        File.WriteAllText(UserFile, $"{Default}user read on nope\n");
        Assert.That(_admin.Call("ACL", "LOAD").Text, Does.StartWith($"ERR {UserFile}:2: Syntax error. WARNING:"));
        var rules = Enumerable.Range(0, 1000).Select(i => $"~{i}").Append("nope");
        Assert.That(
            _admin.Call(["ACL", "SETUSER", "many", .. rules]).Text,
            Is.EqualTo("ERR Error in ACL SETUSER modifier 'nope': Syntax error"));
        Assert.That(Users(), Is.EqualTo("default"));
        Assert.That(_admin.Call("MULTI").Text, Is.EqualTo("OK"));
        _ = _admin.Call(["ACL", "SETUSER", "many", .. rules.SkipLast(1)]);
        _ = _admin.Call("ACL", "SAVE");
        _ = _admin.Call("ACL", "LOAD");
        Assert.That(_admin.Call("EXEC").Items.Select(item => item.Text), Is.All.EqualTo("OK"));
        Assert.That(Users(), Is.EqualTo("default many"));
        Assert.That(File.ReadAllText(UserFile), Does.Contain(" ~998 ~999 "));
    }

    [Test]
    public void The_server_ends_though_the_file_does_not_come()
    {
        MakePipe();
        _admin.Send("ACL", "LOAD");
        using var other = _server.Connect();
        Assert.That(other.Call("PING").Text, Is.EqualTo("PONG"));
        other.Send("SHUTDOWN", "NOSAVE");
        Assert.That(_server.WaitForExit(), Is.Zero);
    }

    [Test]
    public void Pieces_are_done_in_their_order_and_what_waits_at_the_end_is_not()
    {
        using var started = new ManualResetEventSlim();
        using var may = new ManualResetEventSlim();
        var done = new List<int>();
        var works = new UserWorks(Platform.Machine);
        for (var i = 0; i < 10; i++)
        {
            var number = i;
            works.Begin(() => done.Add(number));
        }

        works.Begin(started.Set);
        started.Wait();
        Assert.That(done, Is.EqualTo(Enumerable.Range(0, 10)));
        started.Reset();
        works.Begin(() =>
        {
            started.Set();
            may.Wait();
            done.Add(10);
        });
        works.Begin(() => done.Add(11));
        started.Wait();
        var end = Task.Run(works.Dispose);
        Assert.That(end.Wait(50), Is.False, "it waits for what is at work");
        may.Set();
        end.Wait();
        Assert.That(done, Is.EqualTo(Enumerable.Range(0, 11)));
    }

    private void MakePipe()
    {
        File.Delete(UserFile);
        using var process = Process.Start("mkfifo", UserFile);
        process.WaitForExit();
        Assert.That(process.ExitCode, Is.Zero);
    }

    /// <summary>Which waits until somebody reads.</summary>
    private void WriteToPipe(string user)
        => Assert.That(Task.Run(() => File.WriteAllText(UserFile, $"{Default}{user}\n")).Wait(Patience.Ms), Is.True);

    private string Users() => string.Join(' ', _admin.Call("ACL", "USERS").Items.Select(item => item.Text));
}
