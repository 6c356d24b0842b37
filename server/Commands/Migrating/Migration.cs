using System.Globalization;
using System.IO.Pipelines;
using System.Net.Sockets;
using System.Text;
using Strata.Server.Commands.Model;
using Strata.Server.Lifecycle;
using Strata.Server.Resp;
using Strata.Storage.Memory;

namespace Strata.Server.Commands.Migrating;

/// <summary>
/// Moves keys to another server in the background, some at a time: a client of this server watches and dumps them, what
/// it is told goes on to the other server as RESTORE, and once that has it, the client deletes them here in a
/// transaction. Where a key has changed meanwhile that fails, and all of them are sent again: at the moment when a key
/// leaves, the other server has what it was. No worker waits for the other server.
/// </summary>
internal sealed class Migration
{
    private readonly MigrateOptions _options;
    private readonly MigrationPeer _source;
    private readonly ServerLog _log;
    private readonly HashSet<byte[]> _sent = [];
    private MemoryCharge _charge;
    private string? _problem;
    private bool _isAnyFound;

    /// <summary>Begins nothing yet.</summary>
    /// <param name="options">What is to be done.</param>
    /// <param name="here">A client of this server.</param>
    /// <param name="budget">Charged with the keys.</param>
    /// <param name="log">Where it says of what nobody has thought.</param>
    public Migration(MigrateOptions options, IDuplexPipe here, MemoryBudget budget, ServerLog log)
    {
        _options = options;
        _source = new MigrationPeer(here, Timeout.InfiniteTimeSpan);
        _log = log;
        _charge = new MemoryCharge(budget);
        _charge.Set(options.Keys.Sum(key => (long)key.Length + ServerLimits.MigratedKeyBytes));
    }

    /// <summary>Does it, whatever comes.</summary>
    /// <param name="answer">Takes what writes the reply; on any thread.</param>
    public async Task RunAsync(Action<Action<ReplyWriter>> answer)
    {
        string reply;
        try
        {
            reply = await MoveAsync().ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            _log.CommandFailed("migrate", exception);
            reply = Encoding.ASCII.GetString(Errors.Internal);
        }

        await _source.CloseAsync().ConfigureAwait(false);
        _charge.Set(0);
        answer(writer =>
        {
            if (reply is "OK" or "NOKEY")
            {
                writer.Simple(Encoding.ASCII.GetBytes(reply));
            }
            else
            {
                writer.Error(Encoding.UTF8.GetBytes(reply));
            }
        });
    }

    private async Task<string> MoveAsync()
    {
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            using var timeout = new CancellationTokenSource(_options.Timeout);
            await socket.ConnectAsync(_options.Host, _options.Port, timeout.Token).ConfigureAwait(false);
        }
        catch (Exception exception) when (IsOfNetwork(exception))
        {
            return "IOERR error or timeout connecting to the client";
        }

        await using var stream = new NetworkStream(socket);
        var target = new MigrationPeer(new StreamPipe(stream), _options.Timeout);
        try
        {
            return await MoveAllAsync(target).ConfigureAwait(false);
        }
        catch (Exception exception) when (IsOfNetwork(exception))
        {
            return $"IOERR error or timeout {(target.IsWriting ? "writing" : "reading")} to target instance";
        }
        finally
        {
            await target.CloseAsync().ConfigureAwait(false);
        }
    }

    private async Task<string> MoveAllAsync(MigrationPeer target)
    {
        if (await GreetAsync(target).ConfigureAwait(false) is { } refusal)
        {
            return Refused(refusal);
        }

        _ = await CallHereAsync("SELECT"u8.ToArray(), Text(_options.Source)).ConfigureAwait(false);
        foreach (var keys in _options.Keys.Chunk(ServerLimits.MigratedAtOnce))
        {
            _sent.Clear();
            for (var tries = 0; !await TryMoveAsync(keys, target).ConfigureAwait(false); tries++)
            {
                if (tries == ServerLimits.MigrationTries)
                {
                    return "ERR The keys change faster than they can be sent: they are here still, and some of them "
                        + "there too. Try again with REPLACE when they change less";
                }
            }
        }

        return _problem ?? (_isAnyFound ? "OK" : "NOKEY");
    }

    /// <summary>Gives the password, and chooses the database.</summary>
    /// <returns>What was wrong, or null.</returns>
    private async Task<string?> GreetAsync(MigrationPeer target)
    {
        var replies = 1;
        if (_options.Credentials.Length > 0)
        {
            replies++;
            target.Command(["AUTH"u8.ToArray(), .. _options.Credentials]);
        }

        target.Command("SELECT"u8.ToArray(), Text(_options.Destination));
        await target.FlushAsync().ConfigureAwait(false);
        string? problem = null;
        for (var i = 0; i < replies; i++)
        {
            var reply = await target.ReadAsync().ConfigureAwait(false);
            problem ??= reply.IsError ? reply.Text : null;
        }

        return problem;
    }

    /// <summary>Moves some keys.</summary>
    /// <returns>False when one of them has changed meanwhile: it is here still.</returns>
    private async Task<bool> TryMoveAsync(byte[][] keys, MigrationPeer target)
    {
        if (!_options.Copies && (await CallHereAsync(["WATCH"u8.ToArray(), .. keys]).ConfigureAwait(false)).IsError)
        {
            return true;
        }

        var sent = new List<byte[]>();
        foreach (var key in keys)
        {
            if (await TrySendAsync(key, target).ConfigureAwait(false))
            {
                sent.Add(key);
            }
        }

        await target.FlushAsync().ConfigureAwait(false);
        var done = new List<byte[]>();
        foreach (var key in sent)
        {
            var reply = await target.ReadAsync().ConfigureAwait(false);
            if (reply.IsError)
            {
                _problem = Refused(reply.Text);
            }
            else
            {
                _sent.Add(key);
                done.Add(key);
            }
        }

        if (!_options.Copies && !await TryDeleteAsync(done).ConfigureAwait(false))
        {
            return false;
        }

        await TakeBackAsync([.. _sent.Except(done)], target).ConfigureAwait(false);
        return true;
    }

    /// <summary>Deletes there what was sent, and then deleted here.</summary>
    private static async Task TakeBackAsync(byte[][] keys, MigrationPeer target)
    {
        if (keys.Length > 0)
        {
            target.Command(["DEL"u8.ToArray(), .. keys]);
            await target.FlushAsync().ConfigureAwait(false);
            _ = await target.ReadAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Sends a key, if it is there.</summary>
    private async Task<bool> TrySendAsync(byte[] key, MigrationPeer target)
    {
        _source.Command("PTTL"u8.ToArray(), key);
        _source.Command("DUMP"u8.ToArray(), key);
        await _source.FlushAsync().ConfigureAwait(false);
        var time = await ReadHereAsync().ConfigureAwait(false);
        var payload = await ReadHereAsync().ConfigureAwait(false);
        if (time.IsError || payload.IsError || payload.Number < 0)
        {
            return false;
        }

        _isAnyFound = true;
        var replaces = _options.Replaces || _sent.Contains(key);
        target.Begin(replaces ? 5 : 4);
        target.Argument("RESTORE"u8.ToArray());
        target.Argument(key);
        target.Argument(Text(time.Number == -1 ? 0 : Math.Max(1, time.Number)));
        target.BeginArgument(payload.Number);
        await _source.CopyAsync(payload.Number, target).ConfigureAwait(false);
        if (replaces)
        {
            target.Argument("REPLACE"u8.ToArray());
        }

        return true;
    }

    /// <summary>Deletes keys, unless one was changed since it was watched.</summary>
    private async Task<bool> TryDeleteAsync(List<byte[]> keys)
    {
        if (keys.Count == 0)
        {
            _ = await CallHereAsync("UNWATCH"u8.ToArray()).ConfigureAwait(false);
            return true;
        }

        _source.Command("MULTI"u8.ToArray());
        _source.Command(["DEL"u8.ToArray(), .. keys]);
        _source.Command("EXEC"u8.ToArray());
        await _source.FlushAsync().ConfigureAwait(false);
        _ = await ReadHereAsync().ConfigureAwait(false);
        _ = await ReadHereAsync().ConfigureAwait(false);
        var executed = await ReadHereAsync().ConfigureAwait(false);
        if (executed.IsError)
        {
            return true;
        }

        if (executed.Number < 0)
        {
            return false;
        }

        _ = await ReadHereAsync().ConfigureAwait(false);
        return true;
    }

    /// <summary>Has this server execute a command.</summary>
    private async Task<MigrationReply> CallHereAsync(params byte[][] command)
    {
        _source.Command(command);
        await _source.FlushAsync().ConfigureAwait(false);
        return await ReadHereAsync().ConfigureAwait(false);
    }

    /// <summary>Reads a reply of this server. An error is what the migration ends with.</summary>
    private async ValueTask<MigrationReply> ReadHereAsync()
    {
        var reply = await _source.ReadAsync().ConfigureAwait(false);
        if (reply.IsError)
        {
            _problem = reply.Text;
        }

        return reply;
    }

    private static bool IsOfNetwork(Exception exception)
        => exception is IOException or SocketException or OperationCanceledException;

    private static string Refused(string problem) => $"ERR Target instance replied with error: {problem}";

    private static byte[] Text(long number) => Encoding.ASCII.GetBytes(number.ToString(CultureInfo.InvariantCulture));

    /// <summary>A socket as a pipe.</summary>
    private sealed class StreamPipe(Stream stream) : IDuplexPipe
    {
        public PipeReader Input { get; } = PipeReader.Create(stream, new StreamPipeReaderOptions(leaveOpen: true));

        public PipeWriter Output { get; } = PipeWriter.Create(stream, new StreamPipeWriterOptions(leaveOpen: true));
    }
}
