using System.Diagnostics;
using System.Net.Sockets;
using Strata.Bench.Statistics;

namespace Strata.Bench.Load;

/// <summary>
/// One connection of a load: it sends a batch of requests, awaits all their replies, and is then ready for the next
/// batch. Its socket never blocks. The bytes of a batch are written as the socket takes them, so that neither a long
/// pipeline nor large values need more than one buffer. Owned by one thread, whose receive buffer it borrows.
/// </summary>
internal sealed class LoadConnection : IDisposable
{
    private const int OutputBytes = 64 * 1024;

    private readonly RespClient _client;
    private readonly RequestEncoder _encoder;
    private readonly byte[] _output;
    private byte[] _unfinished = [];
    private int _unfinishedBytes;
    private ReplyReader _reader;
    private int _outputStart;
    private int _outputEnd;
    private int _toEncode;
    private long _sentAt;

    public LoadConnection(RespClient client, RequestEncoder encoder, int pipeline)
    {
        _client = client;
        _encoder = encoder;
        var batchBytes = pipeline * (long)encoder.MaxRequestBytes;
        _output = new byte[Math.Max(encoder.MaxRequestBytes, Math.Min(OutputBytes, batchBytes))];
        client.Socket.Blocking = false;
    }

    public Socket Socket => _client.Socket;

    /// <summary>Requests of the batch that have no reply yet.</summary>
    public int Outstanding { get; private set; }

    /// <summary>Whether the socket refused output, so that it must be asked for room.</summary>
    public bool AwaitsRoom { get; private set; }

    /// <summary>Whether the owner is asking for that room; the owner's to set.</summary>
    public bool RoomIsWatched { get; set; }

    /// <summary>Starts the next batch; its latencies count from here.</summary>
    public void BeginBatch(int requests)
    {
        _toEncode = requests;
        Outstanding = requests;
        _sentAt = Stopwatch.GetTimestamp();
        Send();
    }

    /// <summary>Writes as much of the batch as the socket takes.</summary>
    public void Send()
    {
        AwaitsRoom = false;
        while (Fill())
        {
            var pending = _output.AsSpan(_outputStart, _outputEnd - _outputStart);
            var sentBytes = Socket.Send(pending, SocketFlags.None, out var error);
            if (error == SocketError.WouldBlock)
            {
                AwaitsRoom = true;
                return;
            }

            if (error != SocketError.Success)
            {
                throw Lost(new SocketException((int)error).Message);
            }

            _outputStart += sentBytes;
        }
    }

    /// <summary>Reads what has come, once, and returns how many replies it completed.</summary>
    public int Receive(byte[] buffer, ReplyTally tally, LatencyHistogram latencies)
    {
        _unfinished.AsSpan(0, _unfinishedBytes).CopyTo(buffer);
        var received = Socket.Receive(buffer.AsSpan(_unfinishedBytes), SocketFlags.None, out var error);
        if (error == SocketError.WouldBlock)
        {
            return 0;
        }

        if (error != SocketError.Success || received == 0)
        {
            throw Lost(error == SocketError.Success ? "the server closed it" : new SocketException((int)error).Message);
        }

        var latencyNs = (long)Stopwatch.GetElapsedTime(_sentAt).TotalNanoseconds;
        ReadOnlySpan<byte> input = buffer.AsSpan(0, _unfinishedBytes + received);
        var replies = 0;
        while (!input.IsEmpty && _reader.TryRead(ref input, tally))
        {
            replies++;
            latencies.Record(latencyNs);
        }

        Keep(input, buffer.Length);
        Outstanding -= replies;
        return Outstanding >= 0 ? replies : throw Lost("the server sent more replies than it was asked for");
    }

    public void Dispose() => _client.Dispose();

    private static BenchException Lost(string why) =>
        new($"Lost a connection to the server during the load: {why}. See the server's log.");

    // Whether there is anything to send: refills the empty buffer with further requests of the batch.
    private bool Fill()
    {
        if (_outputStart < _outputEnd)
        {
            return true;
        }

        _outputStart = _outputEnd = 0;
        while (_toEncode > 0 && _output.Length - _outputEnd >= _encoder.MaxRequestBytes)
        {
            if (_encoder.TryEncode(_output.AsSpan(_outputEnd), out var writtenBytes))
            {
                _outputEnd += writtenBytes;
                _toEncode--;
            }
            else
            {
                Outstanding -= _toEncode;
                _toEncode = 0;
            }
        }

        return _outputEnd > 0;
    }

    private void Keep(ReadOnlySpan<byte> line, int bufferBytes)
    {
        if (line.Length == bufferBytes)
        {
            throw Lost($"a line of its reply is longer than {bufferBytes} bytes");
        }

        if (line.Length > _unfinished.Length)
        {
            _unfinished = new byte[line.Length * 2];
        }

        line.CopyTo(_unfinished);
        _unfinishedBytes = line.Length;
    }
}
