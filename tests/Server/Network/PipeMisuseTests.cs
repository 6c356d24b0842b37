using System.Buffers;
using System.IO.Pipelines;
using System.Text;
using NUnit.Framework;
using Strata.Tests.Server.Execution;

namespace Strata.Tests.Server.Network;

/// <summary>What a client in the process may do to its pipes, against their contract or not, ends its connection alone.
/// </summary>
[TestFixture]
internal sealed class PipeMisuseTests
{
    private static readonly byte[] s_large = Encoding.ASCII.GetBytes(
        $"*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1000000\r\n{new string('x', 1_000_000)}\r\n");

    private static readonly byte[] s_ping = "PING\r\n"u8.ToArray();

    [Test]
    public void A_client_may_flush_twice_at_a_time() => Misuse(pipe =>
    {
        Send(pipe, s_large);
        Send(pipe, s_ping);
    });

    [Test]
    public void A_client_may_read_twice_at_a_time() => Misuse(pipe =>
    {
        _ = pipe.Input.ReadAsync().AsTask();
        _ = pipe.Input.ReadAsync().AsTask();
        Send(pipe, s_ping);
    });

    [Test]
    public void A_client_may_end_its_output_with_an_error() => Misuse(pipe =>
    {
        Send(pipe, s_large);
        pipe.Output.Complete(new IOException("broken"));
    });

    [Test]
    public void A_client_may_end_its_input_with_an_error() => Misuse(pipe =>
    {
        pipe.Input.Complete(new IOException("broken"));
        Send(pipe, s_ping);
    });

    private static void Misuse(Action<IDuplexPipe> misuse)
    {
        using var server = new TurnServer(workers: 1);
        var other = server.Connect();
        var pipe = server.Server.Connect();
        server.Settle();
        misuse(pipe);
        server.Settle();
        other.Expect(["PING"], "+PONG");
        pipe.Output.Complete();
        pipe.Input.Complete();
    }

    private static void Send(IDuplexPipe pipe, byte[] bytes)
    {
        pipe.Output.Write(bytes);
        _ = pipe.Output.FlushAsync().AsTask();
    }
}
