using NUnit.Framework;
using Strata.Tests.EndToEnd;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Commands.Connection;

/// <summary>CLIENT KILL and LIST over all workers.</summary>
[TestFixture(ServerKind.Strata)]
[TestFixture(ServerKind.Redis)]
public sealed class ClientKillTests(ServerKind kind) : ServerFixture(kind)
{
    [Test]
    public void Clients_of_all_workers_are_listed_oldest_first()
    {
        using var clients = new ConnectionSet(Server, 5);
        var ids = clients.All.Select(client => client.Call("CLIENT", "ID").Text).ToList();

        var listed = clients.All[2].Call("CLIENT", "LIST").Text;
        Assert.That(IdsIn(listed).Where(ids.Contains), Is.EqualTo(ids));
        Assert.That(listed, Does.Contain("cmd=client|list").And.Contain("cmd=client|id"));

        var chosen = clients.All[0].Call("CLIENT", "LIST", "ID", ids[3], "99999999", ids[1]).Text;
        Assert.That(IdsIn(chosen), Is.EqualTo(new[] { ids[3], ids[1] }));
    }

    [Test]
    public void Killed_clients_are_closed_wherever_they_are()
    {
        using var killer = Server.Connect();
        using var clients = new ConnectionSet(Server, 4);
        foreach (var client in clients.All)
        {
            var id = client.Call("CLIENT", "ID").Text;
            Assert.That(killer.Call("CLIENT", "KILL", "ID", id, "TYPE", "replica").Integer, Is.Zero);
            Assert.That(killer.Call("CLIENT", "KILL", "ID", id).Integer, Is.EqualTo(1));
            Assert.That(client.ReadToEnd(), Is.Empty);
        }

        Assert.That(killer.Call("PING").Text, Is.EqualTo("PONG"));
    }

    [Test]
    public void A_client_can_kill_itself_and_gets_the_answer()
    {
        using var spared = Server.Connect();
        var spareId = spared.Call("CLIENT", "ID").Text;
        using var connection = Server.Connect();
        var id = connection.Call("CLIENT", "ID").Text;
        Assert.That(connection.Call("CLIENT", "KILL", "ID", id).Integer, Is.Zero, "SKIPME is the default");
        Assert.That(connection.Call("CLIENT", "KILL", "SKIPME", "no", "ID", id).Integer, Is.EqualTo(1));
        Assert.That(connection.ReadToEnd(), Is.Empty);

        var address = spared.Socket.LocalEndPoint!.ToString()!;
        Assert.That(spared.Call("CLIENT", "LIST", "ID", spareId).Text, Does.Contain($"addr={address} "));
        Assert.That(spared.Call("CLIENT", "KILL", address).Text, Is.EqualTo("OK"));
        Assert.That(spared.ReadToEnd(), Is.Empty);
    }

    [TestCase("ID x", "ERR client-id should be greater than 0")]
    [TestCase("ID 9223372036854775808 SKIPME no", "ERR client-id should be greater than 0")]
    [TestCase("TYPE nobody SKIPME", "ERR Unknown client type 'nobody'")]
    [TestCase("SKIPME perhaps", "ERR syntax error")]
    [TestCase("ID 1 SKIPME", "ERR syntax error")]
    [TestCase("USER nobody ID 1", "ERR No such user 'nobody'")]
    [TestCase("1.2.3.4:5", "ERR No such client")]
    [TestCase("maxage", "ERR No such client")]
    public void Wrong_filters_are_refused(string arguments, string error)
    {
        using var connection = Server.Connect();
        var reply = connection.Call(["CLIENT", "KILL", .. arguments.Split(' ')]);
        Assert.That(reply, Is.EqualTo(RespValue.Error(error)));
    }

    [TestCase("MAXAGE x", "ERR maxage is not an integer or out of range")]
    [TestCase("MAXAGE 0", "ERR maxage should be greater than 0")]
    [TestCase("MAXAGE -1 ID 0", "ERR maxage should be greater than 0")]
    [TestCase("ID 1 MAXAGE", "ERR syntax error")]
    public void A_wrong_age_is_refused(string arguments, string error)
    {
        IgnoreRedis();
        Wrong_filters_are_refused(arguments, error);
    }

    [Test]
    public void Clients_of_an_age_are_killed()
    {
        IgnoreRedis();
        using var old = Server.Connect();
        var id = old.Call("CLIENT", "ID").Text;
        using var killer = Server.Connect();
        Assert.That(killer.Call("CLIENT", "KILL", "ID", id, "MAXAGE", "3600").Integer, Is.Zero);
        Assert.That(
            () => killer.Call("CLIENT", "KILL", "ID", id, "MAXAGE", "1").Integer, Is.EqualTo(1).After(Patience.Ms, 20));
        Assert.That(old.ReadToEnd(), Is.Empty);
    }

    private void IgnoreRedis()
    {
        if (Kind == ServerKind.Redis)
        {
            Assert.Ignore("MAXAGE is there since Redis 7.4.");
        }
    }

    private static IEnumerable<string> IdsIn(string list)
        => list.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => line.Split(' ')[0]["id=".Length..]);
}
