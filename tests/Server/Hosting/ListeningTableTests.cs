using System.Net;
using System.Net.Sockets;
using NUnit.Framework;
using Strata.Server.Hosting.Health;

namespace Strata.Tests.Server.Hosting;

/// <summary>The kernel's tables of sockets, as proc(5) has them and as this machine's kernel writes them.</summary>
public sealed class ListeningTableTests
{
    private const string TcpHeader =
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode";

    [Test]
    public void Finds_what_listens_and_not_what_is_connected()
    {
        Assume.That(BitConverter.IsLittleEndian, "the lines are those of such a machine");
        var sockets = new Dictionary<string, EndPoint>();
        ListeningTable.ReadTcp(
            [
                TcpHeader,
                "   0: 0100007F:18EB 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1654        0 41",
                "   1: 0100007F:18EB 0100007F:A3F2 01 00000000:00000000 00:00000000 00000000  1654        0 42",
                "   2: 00000000:0016 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 43",
            ],
            sockets);
        ListeningTable.ReadTcp(
            [
                TcpHeader,
                "   0: B80D0120000000000000000001000000:18EB 00000000000000000000000000000000:0000 0A "
                + "00000000:00000000 00:00000000 00000000  1654        0 44",
            ],
            sockets);

        Assert.That(sockets, Is.EquivalentTo(new Dictionary<string, EndPoint>
        {
            ["41"] = IPEndPoint.Parse("127.0.0.1:6379"),
            ["43"] = IPEndPoint.Parse("0.0.0.0:22"),
            ["44"] = IPEndPoint.Parse("[2001:db8::1]:6379"),
        }));
    }

    [Test]
    public void Finds_unix_sockets_that_listen_at_a_path_of_any_characters()
    {
        var sockets = new Dictionary<string, EndPoint>();
        var tooLong = "/" + new string('x', 200);
        ListeningTable.ReadUnix(
            [
                "Num       RefCount Protocol Flags    Type St Inode Path",
                "0000000000000000: 00000002 00000000 00010000 0001 01   51 /run/strata one.sock",
                "0000000000000000: 00000003 00000000 00000000 0001 03   52 /run/strata one.sock",
                "0000000000000000: 00000002 00000000 00010000 0001 01   53 beside.sock",
                "0000000000000000: 00000002 00000000 00010000 0001 01   54 @abstract",
                "0000000000000000: 00000003 00000000 00000000 0001 03   55",
                $"0000000000000000: 00000002 00000000 00010000 0001 01   56 {tooLong}",
            ],
            "/proc/7/cwd",
            sockets);

        Assert.That(sockets.ToDictionary(socket => socket.Key, socket => socket.Value.ToString()), Is.EquivalentTo(
            new Dictionary<string, string> { ["51"] = "/run/strata one.sock", ["53"] = "/proc/7/cwd/beside.sock" }));
    }

    [TestCase("127.0.0.1")]
    [TestCase("0.0.0.0")]
    [TestCase("::1")]
    public void Finds_a_socket_of_this_process_in_the_kernels_own_table(string address)
    {
        using var socket = new Socket(IPAddress.Parse(address).AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            socket.Bind(new IPEndPoint(IPAddress.Parse(address), 0));
        }
        catch (SocketException) when (address.Contains(':'))
        {
            Assert.Ignore("This machine has no IPv6.");
        }

        socket.Listen();
        Assert.That(ListeningTable.Read("/proc/self").Values, Does.Contain(socket.LocalEndPoint));
    }
}
