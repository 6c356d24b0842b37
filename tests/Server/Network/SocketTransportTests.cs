using System.IO.Pipelines;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Text;
using NUnit.Framework;
using Strata.Server;
using Strata.Server.Network.Transport.Sockets;

namespace Strata.Tests.Server.Network;

/// <summary>What the kernel says of a socket, and what the transport makes of it.</summary>
public sealed unsafe class SocketTransportTests
{
    private Socket _server = null!;
    private Socket _client = null!;

    [SetUp]
    public void Connect()
    {
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        _client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        _client.Connect(listener.LocalEndPoint!);
        _server = listener.Accept();
        _server.Blocking = false;
    }

    [TearDown]
    public void Close()
    {
        _server.Dispose();
        _client.Dispose();
    }

    [TestCase(false)]
    [TestCase(true)]
    public void An_end_or_a_reset_ends_the_connection_and_nothing_yet_does_not(bool isReset)
    {
        var socket = new ClientSocket((int)_server.Handle);
        var buffer = stackalloc byte[8];
        Assert.That(socket.Receive(buffer, 8), Is.Zero, "nothing yet");

        _client.LingerState = new LingerOption(isReset, 0);
        _client.Dispose();
        Assert.That(_server.Poll(TimeSpan.FromMinutes(1), SelectMode.SelectRead), Is.True);
        Assert.That(socket.Receive(buffer, 8), Is.EqualTo(-1));
        if (isReset)
        {
            Assert.That(socket.Send(buffer, 8), Is.EqualTo(-1));
        }
    }

    [Test]
    public void Who_reads_all_the_time_is_not_sent_any_number_of_bytes_in_one_go()
    {
        const int Length = 64 << 20;
        var reader = Task.Run(() =>
        {
            var received = new byte[1 << 20];
            for (var left = Length; left > 0;)
            {
                left -= _client.Receive(received);
            }
        });
        var socket = new ClientSocket((int)_server.Handle);
        var bytes = (byte*)NativeMemory.AllocZeroed(Length);
        for (long sent = 0; sent < Length;)
        {
            var now = socket.Send(bytes + sent, Length - sent);
            Assert.That(now, Is.InRange(0, ServerLimits.MaxSentBytes));
            sent += now;
        }

        reader.Wait();
        NativeMemory.Free(bytes);
    }

    [Test]
    public void What_a_full_socket_does_not_take_stays_unflushed_and_goes_later_in_order()
    {
        using var server = new TransportServer();
        using var writer = new SocketPipeWriter(server.Server.Workers[0], new ClientSocket((int)_server.Handle));
        var sent = new MemoryStream();
        var budget = server.Server.Context.Shards.Budget;
        var before = budget.UsedBytes;
        for (var i = 0; writer.UnflushedBytes == 0; i++)
        {
            var bytes = Encoding.Latin1.GetBytes($"{i:0000000} ".PadRight(50_000, '.'));
            sent.Write(bytes);
            Assert.That(HasEnded(writer.WriteAsync(bytes)), Is.False);
        }

        var last = "more"u8;
        last.CopyTo(writer.GetMemory(4).Span);
        writer.Advance(4);
        sent.Write(last);
        Assert.That(budget.UsedBytes, Is.GreaterThanOrEqualTo(before + writer.UnflushedBytes), "it is counted");

        var received = new byte[sent.Length];
        for (var count = 0; count < received.Length;)
        {
            Assert.That(HasEnded(writer.FlushAsync()), Is.False);
            count += _client.Receive(received.AsSpan(count));
        }

        Assert.That(received, Is.EqualTo(sent.ToArray()));
        Assert.That(writer.UnflushedBytes, Is.Zero);
        budget.Buffers.ReleaseIdle();
        Assert.That(budget.UsedBytes, Is.EqualTo(before), "memory is given back");
    }

    [Test]
    public void A_socket_is_read_by_the_contract_of_pipes()
    {
        using var server = new TransportServer();
        var socket = new ClientSocket((int)_server.Handle);
        using var reader = new SocketPipeReader(server.Server.Workers[0], socket);
        Assert.That(reader.TryRead(out _), Is.False, "nothing yet");

        Send("abcde");
        Assert.That(Read(reader, consumedBytes: 2, isExamined: false), Is.EqualTo("abcde"));
        Send("fg");
        Assert.That(Read(reader, consumedBytes: 1, isExamined: true), Is.EqualTo("cde"), "was not examined");
        Assert.That(Read(reader, consumedBytes: 4, isExamined: true), Is.EqualTo("defg"), "comes with what is new");
        Assert.That(reader.RestCapacityBytes, Is.Zero, "memory is given back");
        Assert.That(reader.TryRead(out _), Is.False, "all is consumed");

        _client.Shutdown(SocketShutdown.Send);
        Assert.That(_server.Poll(TimeSpan.FromMinutes(1), SelectMode.SelectRead), Is.True);
        Assert.That(reader.TryRead(out var result), Is.True);
        Assert.That(result.IsCompleted, Is.True);
    }

    private void Send(string text)
    {
        _client.Send(Encoding.Latin1.GetBytes(text));
        Assert.That(_server.Poll(TimeSpan.FromMinutes(1), SelectMode.SelectRead), Is.True);
    }

    private static string Read(SocketPipeReader reader, int consumedBytes, bool isExamined)
    {
        Assert.That(reader.TryRead(out var result), Is.True);
        var text = Encoding.Latin1.GetString(result.Buffer.FirstSpan);
        var consumed = result.Buffer.GetPosition(consumedBytes);
        reader.AdvanceTo(consumed, isExamined ? result.Buffer.End : consumed);
        return text;
    }

    private static bool HasEnded(ValueTask<FlushResult> flush)
    {
        Assert.That(flush.IsCompletedSuccessfully, Is.True, "nothing waits");
        return flush.GetAwaiter().GetResult().IsCompleted;
    }
}
