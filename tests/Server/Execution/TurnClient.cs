using System.Buffers;
using System.IO.Pipelines;
using NUnit.Framework;
using Strata.Tests.Simulation;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Execution;

/// <summary>A client of a <see cref="TurnServer"/>.</summary>
internal sealed class TurnClient(TurnServer server, IDuplexPipe pipe)
{
    private readonly ReplyParser _parser = new();
    private bool _hasGone;

    /// <summary>Whether the server has closed the connection, as far as replies were looked at.</summary>
    public bool IsClosed { get; private set; }

    /// <summary>Sends commands, each as words with spaces between, in one piece. No worker takes a turn.</summary>
    public void Send(params string[] commands)
    {
        foreach (var command in commands)
        {
            pipe.Output.Write(RespCommand.Of(command.Split(' ')).Encode());
        }

        _ = pipe.Output.FlushAsync().AsTask(); // It is less than the pipe takes: it has ended.
    }

    /// <summary>Sends bytes as they are. No worker takes a turn.</summary>
    public void SendRaw(string text) => SendRaw(System.Text.Encoding.Latin1.GetBytes(text));

    /// <inheritdoc cref="SendRaw(string)"/>
    public void SendRaw(ReadOnlySpan<byte> bytes)
    {
        pipe.Output.Write(bytes);
        _ = pipe.Output.FlushAsync().AsTask();
    }

    /// <summary>The replies that have come, as <see cref="ReplyText"/> writes them but errors whole.</summary>
    public IReadOnlyList<string> Replies()
    {
        if (pipe.Input.TryRead(out var result))
        {
            foreach (var segment in result.Buffer)
            {
                _parser.Add(segment.Span);
            }

            IsClosed = result.IsCompleted;
            pipe.Input.AdvanceTo(result.Buffer.End);
        }

        var replies = new List<string>();
        while (_parser.TryTake(out var reply))
        {
            replies.Add(reply.IsError ? "-" + reply.Text : ReplyText.Of(reply));
        }

        return replies;
    }

    /// <summary>Sends commands and lets the workers take turns.</summary>
    public IReadOnlyList<string> Call(params string[] commands)
    {
        Send(commands);
        server.Settle();
        return Replies();
    }

    /// <summary>Sends commands, which must answer as expected.</summary>
    public void Expect(string[] commands, params string[] replies)
        => Assert.That(Call(commands), Is.EqualTo(replies));

    public void Close()
    {
        if (!_hasGone)
        {
            _hasGone = true;
            pipe.Output.Complete();
            pipe.Input.Complete();
        }
    }
}
