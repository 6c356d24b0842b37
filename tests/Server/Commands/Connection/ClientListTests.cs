using NUnit.Framework;
using Strata.Tests.EndToEnd;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Commands.Connection;

/// <summary>The fields of a line of CLIENT LIST and INFO.</summary>
[TestFixture(ServerKind.Strata)]
[TestFixture(ServerKind.Redis)]
public sealed class ClientListTests(ServerKind kind) : ServerFixture(kind)
{
    // Of Redis 7.4, and the totals of 8. "watch" came with 7.4, the library's with 7.2.
    private static readonly string[] s_fields =
    [
        "id", "addr", "laddr", "fd", "name", "age", "idle", "flags", "db", "sub", "psub", "ssub", "multi", "watch",
        "qbuf", "qbuf-free", "argv-mem", "multi-mem", "rbs", "rbp", "obl", "oll", "omem", "tot-mem", "events", "cmd",
        "user", "redir", "resp", "lib-name", "lib-ver", "tot-net-in", "tot-net-out", "tot-cmds",
    ];

    private static readonly string[] s_later =
        ["watch", "lib-name", "lib-ver", "tot-net-in", "tot-net-out", "tot-cmds"];

    [Test]
    public void The_fields_are_those_of_Redis_in_its_order()
    {
        using var connection = Server.Connect();
        var info = Fields(connection.Call("CLIENT", "INFO").Text).Select(field => field.Key).ToList();
        var expected = Kind == ServerKind.Strata ? s_fields : s_fields.Except(s_later.Except(info));
        Assert.That(info, Is.EqualTo(expected));
        var id = connection.Call("CLIENT", "ID").Text;
        Assert.That(Of(connection, id).Keys, Is.EqualTo(info));
    }

    [Test]
    public void The_arguments_of_the_command_that_asks_are_counted()
    {
        using var connection = Server.Connect();
        Assert.That(Fields(connection.Call("CLIENT", "INFO").Text)["argv-mem"], Is.EqualTo("10"));
        var id = connection.Call("CLIENT", "ID").Text;
        Assert.That(Of(connection, id)["argv-mem"], Is.EqualTo($"{"CLIENTLISTID".Length + id.Length}"));
    }

    [Test]
    public void What_is_queued_is_counted()
    {
        using var control = Server.Connect();
        using var client = Server.Connect();
        var id = client.Call("CLIENT", "ID").Text;
        var before = Of(control, id);
        Assert.That((before["multi"], before["multi-mem"], before["flags"]), Is.EqualTo(("-1", "0", "N")));
        _ = client.Call("MULTI");
        for (var i = 0; i < 10; i++)
        {
            _ = client.Call("SET", "k", new string('x', 10_000));
        }

        var after = Of(control, id);
        Assert.That((after["multi"], after["flags"]), Is.EqualTo(("10", "x")));
        Assert.That(Number(after["multi-mem"]), Is.InRange(100_000, 110_000));
        Assert.That(Number(after["tot-mem"]) - Number(before["tot-mem"]), Is.AtLeast(100_000));
    }

    [Test]
    public void A_command_that_waits_is_counted()
    {
        using var control = Server.Connect();
        using var client = Server.Connect();
        var id = client.Call("CLIENT", "ID").Text;
        client.Send("BLPOP", new string('k', 5_000), "0");
        ServerInfo.WaitFor(control, "clients", "blocked_clients", 1);
        var line = Of(control, id);
        Assert.That((line["flags"], line["cmd"]), Is.EqualTo(("b", "blpop")));
        Assert.That(Number(line["argv-mem"]), Is.InRange(5_006, 8_300));
        Assert.That(Number(line["tot-mem"]), Is.AtLeast(5_000));
    }

    [Test]
    public void An_unfinished_command_is_counted()
    {
        using var control = Server.Connect();
        using var client = Server.Connect();
        var id = client.Call("CLIENT", "ID").Text;
        client.SendRaw($"*3\r\n$3\r\nSET\r\n$5000\r\n{new string('k', 5_000)}\r\n$9000\r\n{new string('v', 7_000)}");
        Assert.That(() => Number(Of(control, id)["argv-mem"]), Is.InRange(5_003, 5_030).After(Patience.Ms, 5));
        Assert.That(() => Number(Of(control, id)["qbuf"]), Is.InRange(7_000, 7_020).After(Patience.Ms, 5));
    }

    private static Dictionary<string, string> Of(RespConnection connection, string id)
        => Fields(connection.Call("CLIENT", "LIST", "ID", id).Text);

    private static Dictionary<string, string> Fields(string line) => line.TrimEnd('\n').Split(' ')
        .Select(field => field.Split('=', 2))
        .ToDictionary(field => field[0], field => field[1]);

    private static long Number(string text) => long.Parse(text, System.Globalization.CultureInfo.InvariantCulture);
}
