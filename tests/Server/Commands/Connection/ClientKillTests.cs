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

    private static IEnumerable<string> IdsIn(string list)
        => list.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => line.Split(' ')[0]["id=".Length..]);
}
