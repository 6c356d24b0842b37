using System.Net.Sockets;
using System.Text;
using NUnit.Framework;
using Strata.Server;
using Strata.Storage.Runtime;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Execution;

/// <summary>A worker in its steady state allocates nothing on the managed heap, whatever common command it executes.
/// It is measured alone.</summary>
[Category(TestCategories.Long)]
[NonParallelizable]
public sealed class AllocationTests
{
    private const int Commands = 100_000;
    private const int PerBatch = 100;
    private const string Entry = "*2\r\n$3\r\n1-2\r\n*2\r\n$1\r\nf\r\n$1\r\nv\r\n";

    private readonly byte[] _received = new byte[64 << 10];
    private StrataServer _server = null!;
    private Socket _client = null!;
    private string _path = null!;

    [SetUp]
    public void Start()
    {
        _path = Path.Combine(Path.GetTempPath(), $"strata-{Guid.NewGuid():N}.sock");
        _server = UnstartedServer.Create(
            ["--port", "0", "--unixsocket", _path, "--notify-keyspace-events", "AKE", "--workers", "1"]);
        _server.Start();
        _client = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        _client.Connect(new UnixDomainSocketEndPoint(_path));
        _client.Send("XGROUP CREATE read g 0 MKSTREAM\r\n"u8);
        Assert.That(_client.Receive(_received), Is.EqualTo(5));
    }

    [TearDown]
    public void Stop()
    {
        _client.Dispose();
        _server.Stop(TimeSpan.FromMilliseconds(Patience.Ms));
        _server.Dispose();
    }

    [TestCase("SET {0} some-value-of-ordinary-length", "+OK\r\n")]
    [TestCase("GET {0}", "$-1\r\n")]
    [TestCase("INCR counter:{0}", null)]
    [TestCase("MGET {0} other third", "*3\r\n$-1\r\n$-1\r\n$-1\r\n")]
    [TestCase("DEL {0}", ":0\r\n")]
    [TestCase("EXPIRE {0} 100", ":0\r\n")]
    [TestCase("LPUSH list:{0} element", null)]
    [TestCase("LMOVE rotating rotating LEFT RIGHT", "$-1\r\n")]
    [TestCase("LRANGE list:{0} 0 9", "*0\r\n")]
    [TestCase("RPOP list:{0}", "$-1\r\n")]
    [TestCase("ZADD scores 1.5 {0}", null)]
    [TestCase("ZRANGE {0} 0 9 WITHSCORES", "*0\r\n")]
    [TestCase("HSET hash {0} some-value", null)]
    [TestCase("HSET {0} field some-value", null)]
    [TestCase("HGET hash {0}", "$-1\r\n")]
    [TestCase("HINCRBY hash {0} 1", null)]
    [TestCase("SADD members {0}", null)]
    [TestCase("SISMEMBER members {0}", ":0\r\n")]
    [TestCase("RPUSH l a b c\nLRANGE l 0 9\nLINDEX l 1\nLPOP l\nRPOP l\nBLPOP l 0",
        ":3\r\n*3\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\nc\r\n$1\r\nb\r\n$1\r\na\r\n$1\r\nc\r\n*2\r\n$1\r\nl\r\n$1\r\nb\r\n")]
    [TestCase("HSET some f v\nHGETALL some\nHMGET some f g\nHLEN some\nHDEL some f",
        ":1\r\n*2\r\n$1\r\nf\r\n$1\r\nv\r\n*2\r\n$1\r\nv\r\n$-1\r\n:1\r\n:1\r\n")]
    [TestCase("SADD some a b\nSMEMBERS some\nSMISMEMBER some a c\nSCARD some\nSREM some a b",
        ":2\r\n*2\r\n$1\r\na\r\n$1\r\nb\r\n*2\r\n:1\r\n:0\r\n:2\r\n:2\r\n")]
    [TestCase("ZADD some 1 a 2 b\nZRANGE some 0 9\nZINCRBY some 4 a\nZRANK some a\nZPOPMIN some\nZREM some a",
        ":2\r\n*2\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\n5\r\n:1\r\n*2\r\n$1\r\nb\r\n$1\r\n2\r\n:1\r\n")]
    [TestCase("XADD s 1-1 f v\nXADD s MAXLEN ~ 100 1-* f v\nXRANGE s 1-2 +\nXREAD COUNT 1 STREAMS s 1-1\nXDEL s 1-1\n"
        + "DEL s",
        "$3\r\n1-1\r\n$3\r\n1-2\r\n" + "*1\r\n" + Entry + "*1\r\n*2\r\n$1\r\ns\r\n*1\r\n" + Entry + ":1\r\n:1\r\n")]
    [TestCase("XADD read 1-2 f v\nXREADGROUP GROUP g c COUNT 10 STREAMS read >\nXACK read g 1-2\n"
        + "XPENDING read g - + 1\nXTRIM read MAXLEN 0\nXSETID read 0\nXGROUP SETID read g 0",
        "$3\r\n1-2\r\n*1\r\n*2\r\n$4\r\nread\r\n*1\r\n" + Entry + ":1\r\n*0\r\n:1\r\n+OK\r\n+OK\r\n")]
    [TestCase("MULTI\nSET {0} v\nGET {0}\nDEL {0} other\nMGET {0} other\nEXEC",
        "+OK\r\n+QUEUED\r\n+QUEUED\r\n+QUEUED\r\n+QUEUED\r\n*4\r\n+OK\r\n$1\r\nv\r\n:1\r\n*2\r\n$-1\r\n$-1\r\n")]
    public void Common_commands_allocate_nothing(string command, string? reply)
    {
        var batch = Encode(command);
        WarmUp(batch, reply);
        var allocated = AllocationMeter.LeastOf(() => Run(batch, reply, Commands / PerBatch), AllocatedByWorker);

        Assert.That(allocated, Is.Zero, $"{allocated} bytes for {Commands} times '{command}'");
    }

    [TestCase("return 1", "EVALSHA {1} 0", ":1\r\n")]
    [TestCase("if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end",
        "SET lock:{0} token\nEVALSHA {1} 1 lock:{0} token", "+OK\r\n:1\r\n")]
    [TestCase("local c = redis.call('incr', KEYS[1]) if c == 1 then redis.call('pexpire', KEYS[1], ARGV[1]) end "
        + "return redis.call('pttl', KEYS[1]) > 0", "EVALSHA {1} 1 limit:{0} 60000", ":1\r\n")]
    [TestCase("redis.call('hset', KEYS[1], 'f', ARGV[1]) redis.call('rpush', 'list', ARGV[1]) "
        + "redis.call('lpop', 'list') redis.call('zadd', 'scores', 1, KEYS[1]) return redis.call('hgetall', KEYS[1])",
        "EVALSHA {1} 1 hash:{0} value", "*2\r\n$1\r\nf\r\n$5\r\nvalue\r\n")]
    [TestCase("return 2", "EVAL return(1)--{0} 0", ":1\r\n")]
    [TestCase("return 3", "MULTI\nEVALSHA {1} 1 {0}\nEXEC", "+OK\r\n+QUEUED\r\n*1\r\n:3\r\n")]
    public void Scripts_allocate_nothing(string script, string command, string? reply)
    {
        var loading = $"*3\r\n$6\r\nSCRIPT\r\n$4\r\nLOAD\r\n${script.Length}\r\n{script}\r\n";
        _client.Send(Encoding.ASCII.GetBytes(loading));
        var received = Encoding.ASCII.GetString(_received, 0, _client.Receive(_received));
        Assert.That(received, Does.StartWith("$40\r\n"));
        Common_commands_allocate_nothing(command.Replace("{1}", received[5..45], StringComparison.Ordinal), reply);
    }

    [TestCase("PUBLISH channel some-message", ":2\r\n")]
    [TestCase("SET {0} some-value-of-ordinary-length", "+OK\r\n")]
    public void Messages_allocate_nothing(string command, string? reply)
    {
        using var subscriber = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        subscriber.Connect(new UnixDomainSocketEndPoint(_path));
        subscriber.Send("PSUBSCRIBE *\r\nSUBSCRIBE channel\r\n"u8);
        var discarded = new byte[64 << 10];
        Assert.That(subscriber.Receive(discarded), Is.Positive);
        var reading = new Thread(() =>
        {
            while (subscriber.Receive(discarded) > 0)
            {
            }
        });
        reading.Start();
        Common_commands_allocate_nothing(command, reply);
        subscriber.Shutdown(SocketShutdown.Both);
        reading.Join();
    }

    private static byte[] Encode(string command)
    {
        var text = new StringBuilder();
        for (var i = 0; i < PerBatch; i++)
        {
            foreach (var line in command.Replace("{0}", $"key:{i}", StringComparison.Ordinal).Split('\n'))
            {
                var words = line.Split(' ');
                text.Append('*').Append(words.Length).Append("\r\n");
                foreach (var word in words)
                {
                    text.Append('$').Append(word.Length).Append("\r\n").Append(word).Append("\r\n");
                }
            }
        }

        return Encoding.ASCII.GetBytes(text.ToString());
    }

    // Until everything is compiled, every buffer has its size, and the worker's timer has run several times: what runs
    // for the first time may still set up its statics. A command that arrives in two parts needs a buffer that the
    // worker then keeps. And in code just compiled, the first wake-up of a waiting worker binds the system call that
    // the wake-up is read with, which makes a string of the library's name.
    private void WarmUp(byte[] batch, string? reply)
    {
        _client.Send(batch.AsSpan(..10));
        Thread.Sleep(100);
        _client.Send(batch.AsSpan(10..));
        Receive(reply);
        var until = Environment.TickCount64 + 1000;
        while (Environment.TickCount64 < until)
        {
            Run(batch, reply, 100);
        }

        Thread.Sleep(100);
        _ = AllocatedByWorker();
    }

    private void Run(byte[] batch, string? reply, int times)
    {
        for (var i = 0; i < times; i++)
        {
            _client.Send(batch);
            Receive(reply);
        }
    }

    private void Receive(string? reply)
    {
        var lines = 0;
        var first = 0; // Bytes of what is compared, which may come in parts.
        var expectedLines = PerBatch * (reply == null ? 1 : reply.Count(static c => c == '\n'));
        while (lines < expectedLines)
        {
            var start = first < reply?.Length ? first : 0;
            var received = _client.Receive(_received.AsSpan(start));
            Assert.That(received, Is.Positive, "the server closed the connection");
            if (first < reply?.Length)
            {
                first += received;
                var length = Math.Min(first, reply.Length);
                Assert.That(Encoding.ASCII.GetString(_received, 0, length), Is.EqualTo(reply[..length]));
            }

            lines += _received.AsSpan(start, received).Count((byte)'\n');
        }
    }

    private long AllocatedByWorker()
    {
        var probe = new Probe();
        _server.Workers[0].Worker.Post(probe);
        Assert.That(() => probe.Bytes, Is.Not.Zero.After(Patience.Ms, 1), "the worker does not answer");
        return probe.Bytes;
    }

    private sealed class Probe : WorkItem
    {
        private long _bytes;

        public long Bytes => Volatile.Read(ref _bytes);

        // An event to wait on would allocate when it is set, on the worker, after the count was taken.
        public override void Run(Worker worker) => Volatile.Write(ref _bytes, GC.GetAllocatedBytesForCurrentThread());
    }
}
