using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using System.Text;
using Strata.Bench.Keys;
using Strata.Bench.Load;

namespace Strata.Bench.HitRatio;

/// <summary>
/// What an application with a read-through cache does: GET, and after a miss SET. One connection and fixed batches, so
/// that the order of requests depends on nothing but the traffic and what the server has kept: the SETs of a batch's
/// misses go out with the GETs of the next batch.
/// </summary>
internal sealed class ReadThroughClient : IDisposable
{
    private const int BatchReads = 32;

    private readonly RespClient _client;
    private readonly TrafficPlan _plan;
    private readonly byte[] _letters;
    private readonly byte[] _input = new byte[256 * 1024];
    private readonly List<long> _asked = new(BatchReads);
    private readonly List<long> _missed = new(BatchReads);
    private readonly ReplyTally _tally = new();
    private byte[] _output = new byte[64 * 1024];
    private int _outputEnd;
    private int _inputStart;
    private int _inputEnd;
    private ReplyReader _reader;

    public ReadThroughClient(RespClient client, TrafficPlan plan)
    {
        _client = client;
        _plan = plan;
        _letters = new byte[Math.Max(plan.MaxValueBytes, plan.KeyBytes)];
        Array.Fill(_letters, (byte)'v');
    }

    /// <summary>Plays the next reads and says how many of them hit.</summary>
    /// <exception cref="BenchException">The connection is lost, or the server refuses a command.</exception>
    public long Play(IKeySource keys, long reads, Action<long> onProgress)
    {
        var hitsBefore = _tally.Hits;
        var clock = Stopwatch.StartNew();
        for (var played = 0L; played < reads; played += _asked.Count)
        {
            PlayBatch(keys, (int)Math.Min(BatchReads, reads - played));
            onProgress(played);
            var rate = _plan.RatePerSecond;
            var aheadMs = rate == 0 ? 0 : (played * 1000 / rate) - clock.ElapsedMilliseconds;
            if (aheadMs > 0)
            {
                Thread.Sleep((int)aheadMs);
            }
        }

        return _tally.Hits - hitsBefore;
    }

    /// <summary>Sends the SETs of the last misses, after which nothing is outstanding.</summary>
    public void Settle() => PlayBatch(new SequentialKeys(0, 0), 0);

    public void Dispose() => _client.Dispose();

    private void PlayBatch(IKeySource keys, int reads)
    {
        _outputEnd = 0;
        foreach (var key in _missed)
        {
            var lifetime = _plan.LifetimeMsOf(key)?.ToString(CultureInfo.InvariantCulture);
            Append(lifetime is null ? "*3\r\n$3\r\nSET\r\n" : "*5\r\n$3\r\nSET\r\n");
            AppendKey(key);
            Append(string.Create(CultureInfo.InvariantCulture, $"${_plan.ValueBytesOf(key)}\r\n"));
            Append(_letters.AsSpan(0, _plan.ValueBytesOf(key)));
            Append(lifetime is null ? "\r\n" : $"\r\n$2\r\nPX\r\n${lifetime.Length}\r\n{lifetime}\r\n");
        }

        var sets = _missed.Count;
        _missed.Clear();
        _asked.Clear();
        for (var i = 0; i < reads && keys.TryNext(out var key); i++)
        {
            _asked.Add(key);
            Append("*2\r\n$3\r\nGET\r\n");
            AppendKey(key);
        }

        Send();
        Await(sets);
        foreach (var key in _asked)
        {
            var missesBefore = _tally.Misses;
            Await(1);
            if (_tally.Misses > missesBefore && !_missed.Contains(key))
            {
                _missed.Add(key);
            }
        }
    }

    private void Await(int replies)
    {
        while (replies > 0)
        {
            ReadOnlySpan<byte> input = _input.AsSpan(_inputStart, _inputEnd - _inputStart);
            var complete = _reader.TryRead(ref input, _tally);
            _inputStart = _inputEnd - input.Length;
            if (complete)
            {
                replies--;
            }
            else
            {
                Receive();
            }
        }

        if (_tally.Errors.Count > 0)
        {
            throw new BenchException($"The server answered '{_tally.Errors.Keys.First()}' to the traffic: "
                + "it needs a maxmemory and a policy that evicts.");
        }
    }

    private void Receive()
    {
        _input.AsSpan(_inputStart, _inputEnd - _inputStart).CopyTo(_input);
        _inputEnd -= _inputStart;
        _inputStart = 0;
        var received = _client.Socket.Receive(_input.AsSpan(_inputEnd), SocketFlags.None, out var error);
        if (received == 0)
        {
            var reason = error == SocketError.Success ? "it closed the connection" : error.ToString();
            throw new BenchException($"The server stopped answering: {reason}. See its log.");
        }

        _inputEnd += received;
    }

    private void Send()
    {
        for (var pending = _output.AsSpan(0, _outputEnd); !pending.IsEmpty;)
        {
            var sentBytes = _client.Socket.Send(pending, SocketFlags.None, out var error);
            if (error != SocketError.Success)
            {
                throw new BenchException($"The server took no more requests: {error}. See its log.");
            }

            pending = pending[sentBytes..];
        }
    }

    /// <summary>The key's name, made longer where the traffic's keys are.</summary>
    private void AppendKey(long key)
    {
        Append(string.Create(CultureInfo.InvariantCulture, $"${_plan.KeyBytes}\r\n{KeyName.ValuePrefix}{key:D9}"));
        Append(_letters.AsSpan(0, _plan.KeyBytes - KeyName.SizeBytes));
        Append("\r\n");
    }

    private void Append(string text)
    {
        Span<byte> bytes = stackalloc byte[128];
        Append(bytes[..Encoding.ASCII.GetBytes(text, bytes)]);
    }

    private void Append(ReadOnlySpan<byte> bytes)
    {
        if (_output.Length - _outputEnd < bytes.Length)
        {
            Array.Resize(ref _output, (_output.Length + bytes.Length) * 2);
        }

        bytes.CopyTo(_output.AsSpan(_outputEnd));
        _outputEnd += bytes.Length;
    }
}
