using System.Buffers;
using System.IO.Pipelines;
using NUnit.Framework;
using Strata.Tests.Simulation;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Execution;

/// <summary>A client of a <see cref="TurnServer"/>.</summary>
internal sealed class TurnClient(TurnServer server, IDuplexPipe pipe)
{
    // In which replies come that are many times what the pipe takes.
    private const int MostRounds = 40;

    private readonly ReplyParser _parser = new();
    private bool _hasGone;

    /// <summary>Whether the server has closed the connection, as far as replies were looked at.</summary>
    public bool IsClosed { get; private set; }

    /// <summary>Whether something has come that was not looked at yet.</summary>
    public bool HasInput
    {
        get
        {
            if (!pipe.Input.TryRead(out var result))
            {
                return false;
            }

            var hasInput = !result.Buffer.IsEmpty;
            pipe.Input.AdvanceTo(result.Buffer.Start);
            return hasInput;
        }
    }

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

    /// <summary>Sends commands and lets the workers take turns until there are so many replies, which may be more than
    /// the pipe takes at a time.</summary>
    public List<string> All(int count, params string[] commands)
    {
        Send(commands);
        return Rest(count);
    }

    /// <summary>The next replies, as many as this; see <see cref="All"/>.</summary>
    public List<string> Rest(int count)
    {
        var replies = new List<string>();
        for (var i = 0; i < MostRounds && replies.Count < count; i++)
        {
            server.Settle();
            replies.AddRange(Replies());
        }

        Assert.That(replies, Has.Count.EqualTo(count));
        return replies;
    }

    /// <summary>Has its PING answered after each few turns of the first worker, until another client's command is
    /// answered, too.</summary>
    /// <param name="busy">The other client.</param>
    /// <param name="command">What it sends.</param>
    /// <param name="most">How often at most.</param>
    /// <param name="each">How many turns.</param>
    /// <returns>How often it was.</returns>
    public int TurnsBesides(TurnClient busy, string command, int most, int each)
    {
        busy.Send(command);
        var times = 0;
        do
        {
            Send("PING");
            for (var i = 0; i < each; i++)
            {
                server.Turn(0);
            }

            Assert.That(Replies(), Is.EqualTo(new[] { "+PONG" }));
            times++;
        }
        while (busy.Replies().Count == 0 && times < most);
        return times;
    }

    /// <summary>Sends a command that goes on in steps, between which another client is served by the first worker, and
    /// one more behind it.</summary>
    /// <returns>The replies to both.</returns>
    public IReadOnlyList<string> CallBesides(TurnClient other, string command)
    {
        Send(command, "ECHO after");
        server.Turn(0);
        other.Send("ECHO other");
        server.Turn(0);
        server.Turn(0);
        Assert.That(other.Replies(), Is.EqualTo(new[] { "$other" }));
        Assert.That(Replies(), Is.Empty, "it is not done");
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
