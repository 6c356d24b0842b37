using System.Buffers;
using System.Globalization;
using System.IO.Pipelines;
using System.Text;

namespace Strata.Server.Commands.Migrating;

/// <summary>A server that <see cref="Migration"/> sends commands to: this one, or that which keys go to.</summary>
/// <param name="pipe">The connection.</param>
/// <param name="patience">How long it may do nothing; <see cref="Timeout.InfiniteTimeSpan"/> for ever.</param>
internal sealed class MigrationPeer(IDuplexPipe pipe, TimeSpan patience)
{
    private const int FlushBytes = 64 * 1024;
    private const int LongestLine = 64 * 1024;

    private long _unflushed;

    /// <summary>Whether the last that was done, or tried, was to send.</summary>
    public bool IsWriting { get; private set; }

    /// <summary>Writes a command with all its arguments.</summary>
    public void Command(params ReadOnlySpan<byte[]> arguments)
    {
        Begin(arguments.Length);
        foreach (var argument in arguments)
        {
            Argument(argument);
        }
    }

    /// <summary>Begins a command of some arguments, its name included.</summary>
    public void Begin(int arguments) => Header('*', arguments);

    /// <summary>Writes the next argument.</summary>
    public void Argument(byte[] bytes)
    {
        Header('$', bytes.Length);
        Write(bytes);
        Write("\r\n"u8);
    }

    /// <summary>Begins an argument whose bytes come from <see cref="CopyAsync"/>.</summary>
    public void BeginArgument(long bytes) => Header('$', bytes);

    /// <summary>Sends what was written.</summary>
    /// <exception cref="IOException">The server is not there any more.</exception>
    /// <exception cref="OperationCanceledException">It takes nothing.</exception>
    public async ValueTask FlushAsync()
    {
        _unflushed = 0;
        IsWriting = true;
        using var timeout = new CancellationTokenSource(patience);
        var result = await pipe.Output.FlushAsync(timeout.Token).ConfigureAwait(false);
        if (result.IsCompleted)
        {
            throw new IOException("the connection was closed");
        }
    }

    /// <summary>Reads the next reply; of an array its head, of a bulk string its length, which
    /// <see cref="CopyAsync"/> must follow unless that is negative.</summary>
    /// <exception cref="IOException">The connection was closed, or what came is no reply.</exception>
    /// <exception cref="OperationCanceledException">It does not answer.</exception>
    public async ValueTask<MigrationReply> ReadAsync()
    {
        IsWriting = false;
        using var timeout = new CancellationTokenSource(patience);
        while (true)
        {
            var result = await pipe.Input.ReadAsync(timeout.Token).ConfigureAwait(false);
            var buffer = result.Buffer;
            if (buffer.PositionOf((byte)'\n') is { } end)
            {
                var line = Encoding.Latin1.GetString(buffer.Slice(0, end)).TrimEnd('\r');
                pipe.Input.AdvanceTo(buffer.GetPosition(1, end));
                return ReplyOf(line);
            }

            pipe.Input.AdvanceTo(buffer.Start, buffer.End);
            if (result.IsCompleted || buffer.Length > LongestLine)
            {
                throw new IOException(result.IsCompleted ? "the connection was closed" : "this is no reply");
            }
        }
    }

    /// <summary>Copies the bytes of a bulk string that was read to an argument that was begun, and ends it.</summary>
    /// <param name="length">How many there are.</param>
    /// <param name="to">Where they go.</param>
    /// <exception cref="IOException">A connection was closed.</exception>
    /// <exception cref="OperationCanceledException">One of the servers does nothing.</exception>
    public async ValueTask CopyAsync(long length, MigrationPeer to)
    {
        for (var left = length + 2; left > 0;)
        {
            using var timeout = new CancellationTokenSource(patience);
            var result = await pipe.Input.ReadAsync(timeout.Token).ConfigureAwait(false);
            var part = result.Buffer.Slice(0, Math.Min(left, result.Buffer.Length));
            left -= part.Length;
            foreach (var segment in part)
            {
                to.Write(segment.Span); // With its line's end.
            }

            pipe.Input.AdvanceTo(part.End);
            if (left > 0 && result.IsCompleted)
            {
                throw new IOException("the connection was closed");
            }

            if (to._unflushed > FlushBytes)
            {
                await to.FlushAsync().ConfigureAwait(false);
            }
        }
    }

    /// <summary>Closes the connection.</summary>
    public async ValueTask CloseAsync()
    {
        await pipe.Output.CompleteAsync().ConfigureAwait(false);
        await pipe.Input.CompleteAsync().ConfigureAwait(false);
    }

    private static MigrationReply ReplyOf(string line)
    {
        var kind = line.Length > 0 ? line[0] : default;
        var text = line.Length > 0 ? line[1..] : "";
        if (kind is '+' or '-')
        {
            return new MigrationReply(kind, text, 0);
        }

        return kind is ':' or '$' or '*' && long.TryParse(text, CultureInfo.InvariantCulture, out var number)
            ? new MigrationReply(kind, "", number)
            : throw new IOException("this is no reply");
    }

    private void Header(char kind, long number)
        => Write(Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{kind}{number}\r\n")));

    private void Write(ReadOnlySpan<byte> bytes)
    {
        pipe.Output.Write(bytes);
        _unflushed += bytes.Length;
    }
}
