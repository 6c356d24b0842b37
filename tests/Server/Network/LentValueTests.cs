using System.Globalization;
using NUnit.Framework;

namespace Strata.Tests.Server.Network;

/// <summary>Long values are sent from where they lie. Whatever others do with them meanwhile, each client is sent what
/// its key held at one moment.</summary>
internal sealed class LentValueTests
{
    private const int Bytes = 100_000;

    [Test]
    public void A_value_is_whole_while_others_write_to_it(
        [Values(TransportKind.Tcp, TransportKind.Unix)] TransportKind kind)
    {
        const int Reads = 2_000;
        using var server = new TransportServer("--workers", "3");
        using var first = server.Connect(kind);
        Write(first, "SET", 'a');
        var isOver = false;
        var writers = new[] { "SET", "SETRANGE", "DEL", "SETEX" }.Select(verb => Task.Run(() =>
        {
            using var writer = server.Connect(kind);
            for (var i = 0; !Volatile.Read(ref isOver); i++)
            {
                Write(writer, verb, (char)('a' + (i % 26)));
            }
        })).ToArray();
        var readers = Enumerable.Range(0, 2).Select(_ => Task.Run(() =>
        {
            using var reader = server.Connect(kind);
            for (var i = 0; i < Reads; i++)
            {
                AssertIsWhole(Get(reader));
            }
        })).ToArray();
        Task.WaitAll(readers);
        Volatile.Write(ref isOver, true);
        Task.WaitAll(writers);
        var given = 0L;
        foreach (var shard in server.Server.Context.Shards.All)
        {
            given += shard.Log.Loans.Given;
        }

        Assert.That(given, Is.GreaterThan(Reads / 10));
    }

    /// <summary>What the socket does not take is copied, before anybody can change it. From some megabyte on commands
    /// wait until the client has read.</summary>
    [Test]
    public void What_a_client_has_not_read_stays_as_it_was(
        [Values] TransportKind kind, [Values("SET", "SETRANGE", "DEL", "FLUSHALL")] string verb)
    {
        const int Gets = 64;
        const int LeastGets = 5;
        using var server = new TransportServer();
        using var reader = server.Connect(kind);
        using var writer = server.Connect(kind);
        Write(writer, "SET", 'a');
        for (var i = 0; i < Gets; i++)
        {
            reader.Send("*2\r\n$3\r\nGET\r\n$1\r\nk\r\n"); // One by one, as far as they come so.
            _ = writer.Call("PING\r\n", "+PONG\r\n");
        }

        Write(writer, verb, 'b');
        var values = Enumerable.Range(0, Gets).Select(_ => ReadBulk(reader)).ToList();
        var before = values.TakeWhile(value => value?[0] == 'a').ToList();
        Assert.That(before, Has.Count.GreaterThanOrEqualTo(LeastGets), "so many are answered before the first is read");
        Assert.That(before, Is.All.EqualTo(new string('a', Bytes)));
        var after = verb is "SET" or "SETRANGE" ? new string('b', Bytes) : null;
        Assert.That(values.Skip(before.Count), Is.All.EqualTo(after));
    }

    private static void AssertIsWhole(string? value)
    {
        if (value != null)
        {
            Assert.That(value.AsSpan().IndexOfAnyExcept(value[0]), Is.EqualTo(-1));
            Assert.That(value, Has.Length.EqualTo(Bytes));
        }
    }

    private static string? Get(TransportClient client)
    {
        client.Send("*2\r\n$3\r\nGET\r\n$1\r\nk\r\n");
        return ReadBulk(client);
    }

    private static string? ReadBulk(TransportClient client)
    {
        var line = client.ReadLine();
        if (line == "$-1\r\n")
        {
            return null;
        }

        var length = int.Parse(line.AsSpan(1).TrimEnd(), CultureInfo.InvariantCulture);
        return client.Read(length + 2)[..length];
    }

    private static void Write(TransportClient client, string verb, char letter)
    {
        var value = $"${Bytes}\r\n{new string(letter, Bytes)}\r\n";
        client.Send(verb switch
        {
            "SET" => $"*3\r\n$3\r\nSET\r\n$1\r\nk\r\n{value}",
            "SETRANGE" => $"*4\r\n$8\r\nSETRANGE\r\n$1\r\nk\r\n$1\r\n0\r\n{value}",
            "SETEX" => $"*4\r\n$5\r\nSETEX\r\n$1\r\nk\r\n$3\r\n100\r\n{value}",
            "DEL" => "*2\r\n$3\r\nDEL\r\n$1\r\nk\r\n",
            _ => verb + "\r\n",
        });
        _ = client.ReadLine();
    }
}
