using System.Net.Sockets;
using Strata.Tests.Support;

namespace Strata.Tests.Oracle;

/// <summary>
/// Runs sequences against a server process, each on a new connection after FLUSHALL and with the settings that
/// sequences may change put back. A server that died is started again, so that shrinking can go on.
/// </summary>
internal sealed class ServerTarget(string name, Func<ServerProcess> start) : IOracleTarget, IDisposable
{
    private const int ReplyTimeoutMs = 30_000;
    private const int MaxScanRounds = 100_000;

    private ServerProcess? _server;

    public string Name => name;

    public IReadOnlyList<RespValue> Run(IReadOnlyList<OracleStep> steps)
    {
        var replies = new List<RespValue>(steps.Count);
        using var connection = Prepare();
        try
        {
            var first = 0;
            while (first < steps.Count)
            {
                var count = OracleBurst.Length(steps, first);
                RunBurst(connection, steps.Skip(first).Take(count).ToList(), replies);
                first += count;
            }
        }
        catch (Exception e) when (e is TimeoutException or EndOfStreamException or SocketException
            or InvalidDataException)
        {
            replies.Add(RespValue.Error($"(no reply) {e.Message}{AfterDeath()}"));
        }

        return replies;
    }

    public void Dispose() => _server?.Dispose();

    private static void RunBurst(RespConnection connection, List<OracleStep> burst, List<RespValue> replies)
    {
        switch (burst[0].Kind)
        {
            case StepKind.FullScan:
                replies.Add(FullScan(connection, burst[0].Commands[0]));
                return;
            case StepKind.KeyCount:
                _ = FullScan(connection, burst[0].Commands[0]);
                replies.Add(connection.Call(burst[0].Commands[1]));
                return;
            case StepKind.RandomKey:
                replies.Add(RandomKey(connection));
                return;
            default:
                connection.Send(burst.SelectMany(step => step.Commands));
                foreach (var step in burst)
                {
                    replies.Add(ReadReplies(connection, step.ReplyCount));
                }

                return;
        }
    }

    private static RespValue ReadReplies(RespConnection connection, int count)
    {
        if (count == 1)
        {
            return connection.ReadReply();
        }

        var replies = new RespValue[count];
        for (var i = 0; i < count; i++)
        {
            replies[i] = connection.ReadReply();
        }

        return RespValue.Array(replies);
    }

    private static RespValue FullScan(RespConnection connection, RespCommand scan)
    {
        var seen = new Dictionary<string, RespValue>();
        var arguments = scan.Arguments.ToArray();
        for (var round = 0; round < MaxScanRounds; round++)
        {
            var reply = connection.Call(new RespCommand(arguments));
            if (reply.Kind != RespKind.Array || reply.Items.Count != 2)
            {
                return reply;
            }

            foreach (var key in reply.Items[1].Items)
            {
                seen[key.Text] = key;
            }

            if (reply.Items[0].Text == "0")
            {
                return new RespValue(RespKind.Set, seen.Values.ToList()).Sorted();
            }

            arguments[1] = reply.Items[0].Bytes;
        }

        return RespValue.Error($"(no end) The cursor didn't return to 0 in {MaxScanRounds} rounds.");
    }

    private static RespValue RandomKey(RespConnection connection)
    {
        var key = connection.Call("RANDOMKEY");
        return key.Kind == RespKind.BulkString
            ? RespValue.Array(RespValue.Simple("a key"), Exists(connection, key.Bytes))
            : key;
    }

    private static RespValue Exists(RespConnection connection, byte[] key) =>
        connection.Call(new RespCommand(["EXISTS"u8.ToArray(), key]));

    private RespConnection Prepare()
    {
        if (_server is { HasExited: true })
        {
            _server.Dispose();
            _server = null;
        }

        _server ??= start();
        var connection = _server.Connect(ReplyTimeoutMs);
        foreach (var command in SharedSettings.Reset())
        {
            var reply = connection.Call(command);
            if (reply.IsError)
            {
                throw new InvalidOperationException($"{name} can't be reset: {command} -> {reply}");
            }
        }

        return connection;
    }

    private string AfterDeath()
    {
        // The connection breaks an instant before the process is gone.
        Thread.Sleep(100);
        return _server is { HasExited: true } ? $" The server ended; it wrote:\n{_server.Output}" : string.Empty;
    }
}
